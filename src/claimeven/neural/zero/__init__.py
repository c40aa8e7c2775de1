"""Self-play from nothing, as AlphaZero learned (Silver and others 2018): frame.py shows the network a board,
play.py plays many games side by side, learn.py learns from them, run.py is the loop around both."""
