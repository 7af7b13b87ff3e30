"""The vocabulary of five categories of products, from which `pages` generates descriptions.

An entry with bars lists phrases for one thing (`optical zoom|zoom lens`): each site prefers some of them, so that
sites share only part of the vocabulary of a category. `#` is a placeholder for a digit, `~` for a digit from 1 to 9.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Category:
    """The vocabulary of one category of products."""

    name: str
    noun: str
    """Names for a product."""
    brands: str
    series: str
    """The name of a product line of each brand."""
    features: str
    """Parts and abilities: the subjects of sentences."""
    uses: str
    """What a product is used for."""
    facts: str
    """Clauses that follow the name of the product."""
    specs: str
    """Rows of the table of specifications: `label = value / value / …`."""


CAMERA = Category(
    name="camera",
    noun="digital camera|camera|digicam|compact camera",
    brands="Canon|Nikon|Olympus|Kodak|Fuji|Minolta|Sony|Pentax|Casio|HP",
    series="PowerShot|Coolpix|Camedia|EasyShare|FinePix|Dimage|CyberShot|Optio|Exilim|PhotoSmart",
    features="""
        optical zoom|zoom lens|telephoto zoom|3x lens
        built-in flash|pop-up flash|flash unit|strobe
        optical viewfinder|viewfinder|eye-level finder
        color LCD|LCD panel|rear display|preview screen
        shutter lag|shutter delay|shutter response
        CompactFlash slot|memory card slot|SmartMedia card|storage card
        image quality|picture quality|photo quality|image sharpness
        CCD sensor|image sensor|CCD
        exposure control|manual exposure|aperture priority|exposure compensation
        white balance|color balance|color accuracy
        autofocus|focus system|focusing|auto focus assist
        macro mode|close-up mode|macro focusing
        movie clips|video mode|movie recording
        self-timer|remote shutter|timer
        red-eye reduction|red-eye fix
        scene modes|exposure modes|shooting modes|presets
        lens barrel|retractable lens|lens cover
        burst mode|continuous shooting|rapid shots
        image noise|noise at high ISO|grain
        metering|light meter|spot metering""",
    uses="""
        family snapshots|vacation photos|holiday pictures
        indoor portraits|portraits|people shots
        landscapes|outdoor scenes|scenic views
        sports and action|moving subjects|action photography
        beginning photographers|amateur photographers|first-time shooters
        serious photographers|advanced amateurs|photo enthusiasts
        low-light shots|night photography|dim rooms
        emailing photos|sharing albums|posting pictures online
        close-ups of flowers|macro photography|close subjects""",
    facts="""
        captures ~.# megapixel images|takes ~.# megapixel pictures|offers a ~.# megapixel CCD
        zooms ~x optically|has a ~x zoom lens|brings subjects ~x closer
        stores ~## photos on the bundled card|holds ~## pictures a card|comes with a ~# MB memory card
        focuses as close as ~ inches|starts up and shoots in ~ seconds|shoots ~ frames per second""",
    specs="""
        Resolution|Megapixels|Effective pixels = ~.~ megapixels / ~.# million pixels
        Zoom|Optical zoom|Lens = 3x / 4x / 10x / none, fixed focal length
        Aperture|Lens aperture|Max aperture = f2.8 / f2.0 / f3.5
        Media|Storage media|Memory card = CompactFlash / SmartMedia / Memory Stick / SD card
        ISO|Sensitivity|Film equivalent = auto, 100 to 400 / 50 to 200
        Flash range|Flash modes|Flash = auto, fill, off / ~# feet
        LCD|Screen|LCD size = 1.5 inch / 1.8 inch / 2 inch
        Shutter|Shutter speed|Exposure = 1/1000 to 8 seconds / 1/2000 to 15 seconds""",
)

NOTEBOOK = Category(
    name="notebook",
    noun="notebook|laptop|notebook computer|portable",
    brands="Dell|IBM|Toshiba|Sony|HP|Gateway|Fujitsu|Acer|Apple|Sharp",
    series="Inspiron|ThinkPad|Satellite|Vaio|Pavilion|Solo|LifeBook|TravelMate|PowerBook|Actius",
    features="""
        Pentium processor|mobile Pentium|Intel CPU|processor speed
        hard drive|hard disk|internal disk
        keyboard|keys|full-size keyboard|keyboard layout
        touchpad|pointing stick|trackpad|TrackPoint
        battery life|battery runtime|battery endurance
        wireless networking|WiFi adapter|802.11b card|built-in wireless
        DVD drive|CD burner|combo drive|optical bay
        system memory|RAM|SDRAM|memory expansion
        XGA display|TFT screen|active-matrix panel|wide screen
        graphics chip|3D graphics|video memory|Radeon graphics
        docking station|port replicator|docking connector
        USB ports|FireWire port|PC Card slot|expansion ports
        Windows XP|operating system|preinstalled Windows
        modem and Ethernet|56K modem|LAN port
        travel weight|carrying weight|slim chassis
        magnesium case|lid|rugged case
        cooling fan|heat|fan noise
        benchmark scores|SysMark results|application performance
        software bundle|office suite|productivity software
        multimedia buttons|launch keys|hot keys""",
    uses="""
        business travelers|frequent flyers|road warriors
        students|college campuses|dorm rooms
        desktop replacement|replacing a desktop PC|power users
        presentations|PowerPoint slides|conference rooms
        spreadsheets and word processing|office applications|productivity work
        gaming on the go|3D games|watching DVDs on a plane
        corporate buyers|IT departments|fleet purchases
        surfing from the couch|wireless Web browsing|hot spots
        small businesses|home offices|mobile professionals""",
    facts="""
        runs a ~.~ GHz Pentium|packs a ~.# GHz processor|is built around a mobile CPU at ~.# GHz
        comes with ~## MB of RAM|carries ~## MB SDRAM|ships with ~## MB memory
        has a ~# GB hard drive|includes a ~# GB disk|offers ~# GB of disk space
        weighs ~.# pounds|runs ~ hours on a charge|boots Windows in ~# seconds""",
    specs="""
        Processor|CPU|Processor type = Pentium 4 / Pentium III-M / Celeron / PowerPC G4 / Athlon XP-M
        Clock speed|CPU speed|Processor speed = ~.~ GHz / ~## MHz
        RAM|Memory|Installed memory = 128 MB / 256 MB / 512 MB
        Hard drive|Disk capacity|Hard disk = ~0 GB
        Display|Screen|TFT size = 14.1 inch XGA / 15 inch SXGA / 12.1 inch XGA
        Optical drive|Bay|CD/DVD = DVD-ROM / CD-RW / DVD/CD-RW combo
        Operating system|OS|Windows version = Windows XP Home / Windows XP Professional / Mac OS X
        Networking|Wireless|LAN = 10/100 Ethernet / 802.11b / 56K modem""",
)

MOBILE = Category(
    name="mobile",
    noun="mobile phone|cell phone|handset|wireless phone",
    brands="Nokia|Motorola|Samsung|Ericsson|Siemens|LG|Kyocera|Panasonic|Sanyo|Audiovox",
    series="Communicator|Timeport|Uproar|Worldphone|Swivel|Traveler|Slider|Duramax|Katana|Thera",
    features="""
        talk time|talk-time rating|hours of talk
        standby time|standby rating|days of standby
        ring tones|polyphonic ringers|melodies
        voice dialing|voice-activated calls|speech commands
        text messaging|SMS|instant messages
        phone book|address book|contact list
        speakerphone|hands-free speaker|earpiece
        antenna|reception|signal strength
        keypad|dial pad|backlit keys
        dual-band|tri-band|GSM bands|CDMA network
        GPRS|WAP browser|wireless Internet|Web minibrowser
        vibrating alert|vibrate mode|silent alert
        faceplates|covers|color shells
        flip design|clamshell|candy-bar shape
        headset jack|earbud|car kit
        call quality|voice clarity|reception of callers
        caller ID|call waiting|missed calls list
        roaming|coverage|service area
        SIM card|subscriber card|carrier lock
        Bluetooth|infrared link|PC sync cable""",
    uses="""
        teenagers|young callers|chatty teens
        international roaming|world travelers|calls abroad
        driving|hands-free calls in the car|commuters
        chatting all day|long calls|heavy talkers
        new subscribers|prepaid customers|first-time callers
        messaging friends|quick messages|chat on the bus
        carriers and calling plans|monthly plans|service contracts
        the shirt pocket|a purse|belt clips""",
    facts="""
        talks for ~ hours|offers ~## minutes of talk time|lasts ~ days on standby
        works on GSM ~00 networks|roams on ~ bands|supports CDMA at ~00 MHz
        stores ~00 phone numbers|keeps ~00 contacts|remembers ~# calls
        weighs only ~.# ounces|rings with ~# melodies|sends messages of 160 letters""",
    specs="""
        Band|Network|Frequency = GSM 900/1800 / CDMA 800/1900 / TDMA / tri-band GSM
        Talk time|Max talk time|Hours of talk = ~ hours / ~## minutes
        Standby time|Max standby|Standby = ~00 hours / ~ days
        Phone book|Memory entries|Contacts = ~00 names / ~0 numbers
        Ringers|Ring tones|Melodies = ~# tones / polyphonic
        Service provider|Carrier|Calling plan = Sprint / Verizon / T-Mobile / unlocked
        Messaging|Text messages|SMS = two-way SMS / receive only / EMS
        Antenna|Antenna type|Form = retractable / internal / stub""",
)

PRINTER = Category(
    name="printer",
    noun="printer|inkjet|laser printer|all-in-one",
    brands="HP|Epson|Canon|Lexmark|Brother|Xerox|Samsung|Minolta|Oki|Kyocera",
    series="DeskJet|Stylus|Bubble Jet|Optra|Intellifax|Phaser|Laser|PagePro|Okipage|EcoSys",
    features="""
        print speed|pages per minute|engine speed|ppm rating
        ink cartridges|ink tanks|color cartridge|refills
        toner|toner cartridge|drum and toner
        paper tray|input tray|sheet feeder|paper capacity
        print quality|output quality|text quality|crisp text
        photo prints|borderless prints|4x6 prints|glossy output
        cost per page|running costs|consumables|price of ink
        print head|nozzles|droplet size
        duplex unit|two-sided printing|duplexing
        parallel port|USB cable|Ethernet print server|network card
        driver|printer driver|control panel software
        envelopes|labels and transparencies|heavy stock
        flatbed scanner|copier|fax function|scanning lid
        dots per inch|resolution enhancement|dpi
        paper jams|paper handling|straight paper path
        monthly duty cycle|duty cycle|workload
        PostScript|PCL emulation|page description
        color laser engine|monochrome engine|laser engine
        warm-up time|first page out|time to first page
        banding|streaks|smearing""",
    uses="""
        letters and invoices|correspondence|text documents
        workgroups|shared office printing|departments
        photo printing at home|printing snapshots|photo paper
        greeting cards|banners and crafts|school reports
        high-volume printing|heavy jobs|long print runs
        home offices|small offices|SOHO desks
        spreadsheets and charts|business graphics|color handouts
        brochures|marketing material|newsletters""",
    facts="""
        prints ~# pages per minute|churns out ~# ppm|delivers ~# color pages a minute
        prints at ~00 dpi|reaches ~00 by ~00 dpi|lays down ~ picoliter droplets
        holds ~00 sheets|takes ~00 sheets of plain paper|feeds ~0 envelopes
        connects by USB or parallel cable|warms up in ~# seconds|costs ~ cents per page""",
    specs="""
        Technology|Print method|Engine = thermal inkjet / laser / piezo inkjet / color laser
        Resolution|Max resolution|Print resolution = ~00 dpi / 2400 x 1200 dpi
        Speed|Print speed|Pages per minute = ~# ppm black / ~# ppm color
        Paper capacity|Input tray|Sheet capacity = ~00 sheets / ~50 sheets
        Interface|Ports|Connection = USB / parallel / Ethernet / USB and parallel
        Cartridges|Ink system|Toner = 2 cartridges / 4 inks / toner, 6000 pages
        Media|Paper types|Media sizes = letter, legal, envelopes / A4, transparencies, labels
        Duty cycle|Monthly duty|Workload = ~000 pages / ~0000 pages""",
)

TV = Category(
    name="TV",
    noun="TV|television|color TV|TV set",
    brands="Sony|Panasonic|Toshiba|Sharp|JVC|Philips|RCA|Zenith|Samsung|Hitachi",
    series="Wega|Tau|CineMaster|Aquos|I'Art|Matchline|TruFlat|Sentry|DynaFlat|UltraVision",
    features="""
        picture tube|flat tube|CRT|flat-screen tube
        comb filter|3-line digital comb filter|line doubler
        picture-in-picture|PIP|two-tuner PIP|split screen
        stereo speakers|surround sound|SRS audio|MTS stereo
        remote control|universal remote|illuminated remote
        S-Video input|component inputs|front A/V jacks|rear jacks
        V-chip|parental control|channel lock
        channel tuner|cable-ready tuner|181 channels|channel labels
        HDTV|high definition|HD-ready set|1080i signals
        progressive scan|3:2 pulldown|480p
        widescreen|16:9 aspect ratio|letterbox mode
        projection screen|rear projection|projection set
        closed captions|caption display|on-screen menus
        sleep timer|on/off timer|wake-up timer
        black level|contrast|scan velocity
        plasma panel|LCD television|wall mount
        cabinet|matching stand|swivel base
        antenna input|RF connector|cable box control
        convergence|geometry|color temperature setting
        built-in DVD player|VCR combo|built-in VCR""",
    uses="""
        home theaters|living rooms|family rooms
        movie nights|DVD movies|film lovers
        bedrooms|kitchen counters|small rooms
        broadcast programs|cable channels|satellite programming
        watching the game|football Sundays|sports broadcasts
        video game consoles|console gamers|kids' playrooms
        couch potatoes|viewers|channel surfers
        widescreen films|high-definition broadcasts|HBO specials""",
    facts="""
        has a ~# inch screen|measures ~# inches diagonally|shows pictures on a ~# inch tube
        tunes ~## channels|receives ~## cable channels|remembers ~# favorite channels
        puts out ~ watts of audio|plays stereo at ~ watts|drives two ~ watt speakers
        weighs ~## pounds|stands ~# inches deep|takes signals at ~## lines""",
    specs="""
        Screen size|Diagonal|Picture tube = ~# inch / 27 inch flat / 32 inch
        Aspect ratio|Screen format|Format = 4:3 / 16:9
        Tuner|Channels|Tuning system = 181 channels / NTSC, cable-ready
        Audio|Sound|Speakers = MTS stereo / SRS surround / mono
        Inputs|A/V inputs|Jacks = S-Video, composite / component, S-Video / RF
        Picture-in-picture|PIP|Two tuners = yes / no / split screen
        Comb filter|Filter|Video processing = 3-line / digital / none
        Remote|Remote control|Remote type = universal / basic / illuminated""",
)

CATEGORIES = (CAMERA, NOTEBOOK, MOBILE, PRINTER, TV)

QUALITIES = [
    "excellent",
    "good",
    "fair",
    "impressive",
    "disappointing",
    "solid",
    "average",
    "superb",
    "weak",
    "reliable",
    "handy",
    "adequate",
    "outstanding",
    "mediocre",
    "convenient",
    "clumsy",
    "generous",
    "limited",
    "first-rate",
    "acceptable",
    "smooth",
    "awkward",
    "strong",
    "so-so",
    "remarkable",
]

EVERYDAY = """
    It costs a little more than we expected.
    Setting it up took about ten minutes, and the manual explains every step.
    The price is right, although competitors are catching up.
    A one-year warranty covers parts and labor.
    Support by telephone was friendly but slow.
    Build and finish feel better than the price suggests.
    The box holds all cables that you need.
    If you can wait, prices will fall before the holidays.
    Controls are easy to learn and fall well to hand.
    There are cheaper models, but few are as complete.
    Its design won't turn heads, but it does the job.
    We had no trouble in three weeks of use.
    You may want to buy a spare adapter.
    Beginners will be pleased, experts may want more options.
    In short, good value for the money.
    The menu takes some getting used to.""".strip().splitlines()
"""Sentences without words of the category."""

FRAMES = """
    The {feature} is {quality}, and so is the {other}.
    {feature}, {other} and {third} are {quality}.
    Its {quality} {feature} helps with {use}.
    For {use}, the {feature} and {third} count most.
    Compared with last year's model, {feature} has become {quality}.
    We found {feature} {quality} but {other} {quality2}.
    Few rivals match its {feature} and {other}.
    {use}: that is where {feature} and {third} matter.
    Anyone who cares for {use} will want {quality} {feature}.
    Between {feature} and {other}, little was left to wish for.
    Both {feature} and {other} are {quality} for {use}.
    Despite {quality} {feature}, {third} could be better.""".strip().splitlines()
"""Sentences that all sites share; names in braces as in `Shop.frames`."""
