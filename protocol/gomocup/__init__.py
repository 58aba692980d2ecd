"""The Gomocup (Piskvork) protocol with Yixin's and Rapfi's extension: what Gomoku managers and GUIs send."""
