"""Who said what: the posts, comments, answers and reviews of a page (docs/posts.md).

`find_posts` returns for each post its blocks, author, date, depth and kind, and for each block whether it is text of a
post or a line of names, dates, links or buttons; `permalinks_of` returns the address of each post.
"""

from dehusk.about.posts.finding import FoundPost, Posts, find_posts, permalinks_of

__all__ = ["FoundPost", "Posts", "find_posts", "permalinks_of"]
