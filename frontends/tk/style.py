"""Colors, fonts and sizes, in one place."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from tkinter import font, ttk  # noqa: TID253, the window is tkinter's

PAPER = "#f5f1e8"
CARD = "#fffdf8"
INK = "#2b2620"
FAINT = "#8a8072"
EDGE = "#ddd4c3"
ACCENT = "#b5562b"
BEST = "#2f6fb5"
OTHER = "#5c9a6b"
ALARM = "#a8322b"
SANS = ("DejaVu Sans", "Noto Sans", "Segoe UI", "Helvetica Neue", "Helvetica")
CHINESE = ("Noto Sans CJK SC", "WenQuanYi Micro Hei", "Microsoft YaHei", "PingFang SC")


def screen_scale(root: tk.Tk) -> float:
    """How much finer than usual the screen is, by what it says before anybody changes that."""
    return max(1.0, root.winfo_fpixels("1i") / 96)


class Style:
    """The look of a window, at the size that its screen and its person want."""

    def __init__(self, root: tk.Tk, scale: float, language: str) -> None:
        self.scale = scale
        root.tk.call("tk", "scaling", scale * 96 / 72)
        families = set(font.families(root))
        wanted = (CHINESE + SANS) if language == "zh_CN" else SANS
        self.family = next((name for name in wanted if name in families), "TkDefaultFont")
        for name in ("TkDefaultFont", "TkTextFont", "TkMenuFont", "TkHeadingFont"):
            font.nametofont(name, root).configure(family=self.family, size=10)
        root.configure(background=PAPER)
        self._configure(ttk.Style(root))

    def pixels(self, length: float) -> int:
        """A length that looks the same on every screen."""
        return max(1, round(length * self.scale))

    def font(self, size: int, weight: str = "normal") -> tuple[str, int, str]:
        """A font, in points."""
        return (self.family, size, weight)

    def _configure(self, style: ttk.Style) -> None:
        style.theme_use("clam")
        style.configure(".", background=PAPER, foreground=INK, bordercolor=EDGE, lightcolor=PAPER, darkcolor=PAPER)
        style.configure("Plain.TFrame", background=CARD)
        for name in ("Card.TLabel", "Faint.Card.TLabel"):
            style.configure(name, background=CARD)
        style.configure("Faint.Card.TLabel", foreground=FAINT)
        style.configure("Name.Card.TLabel", background=CARD, font=self.font(11, "bold"))
        style.configure("Clock.Card.TLabel", background=CARD, font=self.font(13, "bold"))
        style.configure("Score.TLabel", foreground=ACCENT, font=self.font(10, "bold"))
        style.configure("Alarm.TFrame", background="#fbe9e4")
        style.configure("Alarm.TLabel", background="#fbe9e4", foreground=ALARM, font=self.font(11, "bold"))
        gap = self.pixels(5)
        style.configure("TButton", padding=(gap, gap), background=CARD, bordercolor=EDGE, focuscolor=ACCENT)
        style.map("TButton", background=[("disabled", PAPER), ("active", "#f0e6d4")], foreground=[("disabled", FAINT)])
        style.configure("Main.TButton", foreground="#ffffff", background=ACCENT)
        style.map("Main.TButton", background=[("active", "#c96a3e")])
        self._configure_fields(style)

    def _configure_fields(self, style: ttk.Style) -> None:
        """What is chosen stays readable while its field has the keyboard."""
        paper, ink = [("readonly", CARD)], [("readonly", INK)]
        style.map("TCombobox", fieldbackground=paper, selectbackground=paper, foreground=ink, selectforeground=ink)
        style.map("TCombobox", bordercolor=[("focus", ACCENT)])
        style.map("TEntry", bordercolor=[("focus", ACCENT)], fieldbackground=[("disabled", PAPER)])
        for name in ("TCheckbutton", "TRadiobutton"):
            style.configure(name, background=PAPER)
            style.map(name, background=[("active", PAPER)])
        style.configure("Card.Horizontal.TScale", background=ACCENT, troughcolor="#efe8da", gripcount=0)
        style.configure("Card.Horizontal.TScale", lightcolor=ACCENT, darkcolor=ACCENT, bordercolor=EDGE)
        style.map("Card.Horizontal.TScale", background=[("active", "#c96a3e")])
        style.configure("TCombobox", fieldbackground=CARD, background=CARD, arrowcolor=INK)
        style.configure("Treeview", background=CARD, fieldbackground=CARD, rowheight=self.pixels(22), borderwidth=0)
        style.configure("Treeview.Heading", background=PAPER, foreground=FAINT, relief="flat")
        style.map("Treeview", background=[("selected", "#f0e6d4")], foreground=[("selected", INK)])
