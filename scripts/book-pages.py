#!/usr/bin/env python3
"""A preprocessor of mdBook: pages that come from elsewhere in the repository, and links that lead there.

A page that is nothing but an include of a Markdown file stands for that file. Links to such a file lead to its
page; a link to anything else outside of the book becomes its text with the path behind it. A link to a file that
does not exist ends the build.
"""

import json
import os
import re
import sys

INCLUDE = re.compile(r"\{\{#include (\S+\.md)\}\}\s*")
# Code is left alone: it comes first, and only the last alternative is a link.
CODE_OR_LINK = re.compile(r"^```.*?^```|`[^`\n]*`|(!?)\[((?:`[^`]*`|[^\[\]`])*)\]\(([^()\s]+)\)", re.M | re.S)


def chapters(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter and chapter["path"]:
            yield chapter
            yield from chapters(chapter["sub_items"])


def main():
    context, book = json.load(sys.stdin)
    root = context["root"]
    docs = os.path.join(root, context["config"]["book"]["src"])
    pages, broken = {}, []
    for chapter in chapters(book["items"]):
        path = os.path.join(docs, chapter["path"])
        include = INCLUDE.fullmatch(chapter["content"])
        if include:
            path = os.path.normpath(os.path.join(os.path.dirname(path), include[1]))
            with open(path, encoding="utf-8") as file:
                chapter["content"] = file.read()
        pages[path] = chapter

    def lead(path, chapter, match):
        picture, text, target = match[1], match[2], match[3]
        if target is None or re.match(r"[a-z]+:|#", target):
            return match[0]
        name, mark, anchor = target.partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if not os.path.exists(found):
            broken.append(f"{os.path.relpath(path, root)}: nothing is at {target}")
        here = os.path.dirname(chapter["path"])
        if found in pages:
            page = os.path.relpath(pages[found]["path"], here or ".")
            return f"[{text}]({page}{mark}{anchor})"
        if found.startswith(docs + os.sep) and os.path.isfile(found):
            return f"{picture}[{text}]({os.path.relpath(found, os.path.join(docs, here))}{mark}{anchor})"
        named = os.path.relpath(found, root)
        return text if text.strip("`/") == named else f"{text} (`{named}`)"

    for path, chapter in pages.items():
        chapter["content"] = CODE_OR_LINK.sub(lambda match: lead(path, chapter, match), chapter["content"])
    if broken:
        sys.exit("\n".join(broken))
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0)
    main()
