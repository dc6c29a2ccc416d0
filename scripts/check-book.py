#!/usr/bin/env python3
"""Checks a book that mdBook has built: every link leads to a file of the book and to a place in it, every picture
is there, and nothing is loaded from elsewhere. Usage: check-book.py FOLDER. Links to other sites are not followed."""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("href", "src"):
                self.loads.append(value)


def main(folder):
    pages = {}
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(base, name)
                with open(path, encoding="utf-8") as file:
                    pages[path] = Page(file.read())
    wrong, count = [], 0
    for path, page in sorted(pages.items()):
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    wrong.append(f"{path}: loads {link}")
                continue
            count += 1
            name = urllib.parse.unquote(parts.path)
            target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.isfile(target):
                wrong.append(f"{path}: nothing is at {link}")
            elif parts.fragment and target in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                    wrong.append(f"{path}: no such place: {link}")
    if wrong or not count:
        sys.exit("\n".join(wrong) or f"there is no book in {folder}")
    print(f"{len(pages)} pages, {count} links and files: all are there")


if __name__ == "__main__":
    main(sys.argv[1])
