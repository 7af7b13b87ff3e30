"""Texts that are controls of a page beside its text; they count only where the shape of the page says so."""

# fmt: off
_SIGNS = frozenset({
    "¶", "§", "#", "🔗", "∞", "⚓", "⚓︎", "☍", "🔗︎", "⛓",
})
_PERMALINKS = frozenset({
    "permalink", "permalink to this heading", "permalink to this headline", "permalink to this definition",
    "link to this heading", "link to this section", "link to this definition", "direct link to heading",
    "anchor link", "copy link to this section", "copy link", "permalien", "lien permanent", "enlace permanente",
    "link permanente", "dauerlink", "固定链接", "パーマリンク", "постоянная ссылка",
})
LINK_SIGNS = _SIGNS | _PERMALINKS
"""Texts of links to a section of the page, in lower case."""

COPYING = frozenset({
    "copy", "copy code", "copy to clipboard", "copy snippet", "copied", "copied!", "copy link", "copy text",
    "copy page", "kopieren", "code kopieren", "in die zwischenablage kopieren", "copier", "copier le code",
    "copiar", "copiar código", "copia", "copia codice", "kopiëren", "kopiuj", "kopiera", "kopier", "kopírovat",
    "копировать", "скопировать", "копіювати", "kopyala", "kodu kopyala", "复制", "复制代码", "複製",
    "複製程式碼", "コピー", "コードをコピー", "复制成功", "복사", "코드 복사", "نسخ", "نسخ الكود", "कॉपी करें",
    "sao chép", "salin", "másolás", "kopioi", "αντιγραφή", "העתק",
})
"""Texts of controls that copy a listing, in lower case."""
