"""The tables of a project's database."""

VERSION = 1
"""Stored as `user_version`; a project of another version is refused."""

TABLES = """
CREATE TABLE input (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    stamp TEXT NOT NULL,               -- JSON; as it was when its pages were added
    complete INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE page (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again: the words of a removed page stay in the index
    input INTEGER NOT NULL REFERENCES input,
    number INTEGER NOT NULL,           -- of the record in its input; negative if its input changed
    place INTEGER NOT NULL,            -- `Record.offset`
    name TEXT NOT NULL,                -- `Record.id`
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    sha TEXT NOT NULL,                 -- SHA-256 of the body, in hex
    headers TEXT NOT NULL,             -- JSON
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    title TEXT NOT NULL COLLATE NOCASE,
    type TEXT NOT NULL,                -- one of `dehusk.studio.page_facts.TYPES`
    confidence REAL NOT NULL,
    kept REAL NOT NULL,                -- share of the words that are in kept blocks
    words INTEGER NOT NULL,            -- of kept blocks
    blocks INTEGER NOT NULL,
    language TEXT NOT NULL,
    preview TEXT NOT NULL,
    made_by TEXT NOT NULL,             -- `dehusk.studio.making.Making.key`: the model and the rules
    labelled INTEGER NOT NULL DEFAULT 0, -- blocks with a label, of the annotator who labelled most
    flag TEXT NOT NULL DEFAULT '',     -- of the annotator who flagged it last
    comment TEXT NOT NULL DEFAULT '',
    UNIQUE (input, number)
);
CREATE INDEX page_host ON page (host, id);
CREATE INDEX page_site ON page (host, labelled, confidence); -- the list of sites reads nothing else
CREATE INDEX page_made ON page (host, made_by);
CREATE INDEX page_title ON page (title, id);
CREATE INDEX page_url ON page (url, id);
CREATE INDEX page_sha ON page (sha);
CREATE INDEX page_remark ON page (id, labelled, flag) WHERE labelled > 0 OR flag <> '';
CREATE TABLE revision (number INTEGER NOT NULL); -- changes when pages do, apart from labels, flags and comments
INSERT INTO revision VALUES (0);
CREATE TRIGGER page_changed AFTER UPDATE OF title, url, host, status, type, confidence, kept, words, blocks, language
ON page BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER page_removed AFTER DELETE ON page BEGIN UPDATE revision SET number = number + 1; END;
CREATE TABLE loss (                    -- what of an input could not be read
    input INTEGER NOT NULL REFERENCES input,
    place INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (input, place, message)
) WITHOUT ROWID;
CREATE TABLE body (                    -- of pages whose input can only be read from its start, and of labelled pages
    page INTEGER PRIMARY KEY REFERENCES page,
    data BLOB NOT NULL                 -- compressed by zlib
);
CREATE TABLE sheet (                   -- style sheets in files of pages
    input INTEGER NOT NULL REFERENCES input,
    url TEXT NOT NULL,
    place INTEGER NOT NULL,            -- `Record.offset`
    PRIMARY KEY (input, url)
) WITHOUT ROWID;
-- rowid: the page, plus a multiple of `dehusk.studio.searching.WORD_ROWS` for what later models kept of it
CREATE VIRTUAL TABLE word USING fts5 (
    title, url, text, content = '', detail = 'none', prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE labelling (
    page INTEGER NOT NULL REFERENCES page,
    annotator TEXT NOT NULL,
    codes BLOB NOT NULL,               -- one int8 per block: an index into LABELS, -1 for none
    labelled INTEGER NOT NULL,         -- blocks with a label
    seconds REAL NOT NULL DEFAULT 0,   -- that the page was worked on
    changed REAL NOT NULL,             -- Unix time
    saved REAL NOT NULL DEFAULT 0,     -- `changed` of the labels that the files have
    PRIMARY KEY (page, annotator)
);
CREATE TABLE flagging (
    page INTEGER NOT NULL REFERENCES page,
    annotator TEXT NOT NULL,
    flag TEXT NOT NULL,                -- '' after it was removed
    changed REAL NOT NULL,             -- Unix time
    PRIMARY KEY (page, annotator)
) WITHOUT ROWID;
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES page,
    annotator TEXT NOT NULL,
    batch INTEGER NOT NULL,            -- changes of one action, also of several pages, are undone together
    blocks BLOB NOT NULL,              -- int32
    before BLOB NOT NULL,              -- int8, a label for each of `blocks`
    after BLOB NOT NULL,
    flag_before TEXT,                  -- of an action that flags the page; NULL of those that label blocks
    flag_after TEXT,
    undone INTEGER NOT NULL DEFAULT 0,
    at REAL NOT NULL
);
CREATE INDEX change_page ON change (page, annotator, undone, batch);
CREATE INDEX change_batch ON change (batch);
CREATE TABLE rule_edit (               -- what the studio did to the rules file
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,                  -- Unix time
    what TEXT NOT NULL,
    before TEXT NOT NULL,              -- the file's text
    after TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE judgement (               -- of what a method keeps of a page, compared with the page's gold
    page INTEGER NOT NULL REFERENCES page ON DELETE CASCADE,
    setup TEXT NOT NULL,               -- JSON; see `dehusk.studio.setups`
    stamp TEXT NOT NULL,               -- of the gold and of what the outcome depends on; another one is out of date
    common INTEGER NOT NULL,           -- words of both, regardless of order
    kept INTEGER NOT NULL,             -- words of the outcome
    gold INTEGER NOT NULL,             -- words of the gold
    ms REAL,                           -- of CPU time; NULL if it is not known
    failure TEXT NOT NULL DEFAULT '',  -- why the page could not be cleaned, in one line
    text BLOB,                         -- what another tool kept, compressed by zlib; NULL: dehusk can tell
    PRIMARY KEY (page, setup)
) WITHOUT ROWID;
CREATE INDEX judgement_setup ON judgement (setup, page);
CREATE TABLE result_file (             -- figures of `dehusk bench` and others, shown as tables
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    at REAL NOT NULL,                  -- Unix time
    content TEXT NOT NULL              -- JSON
);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL); -- JSON
"""
