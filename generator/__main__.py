"""The command `papierformer`, also `python -m generator`: where every run begins.

Imports nothing at its top, so that Ctrl-C is answered from the first moment, while modules are read, too.
"""

INTERRUPTED = 130  # what shells report of a program that Ctrl-C has ended: 128 and the signal's number


def main() -> int:
    """Run the command that the arguments name. Never raises; Ctrl-C ends it without a traceback."""
    try:
        import os
        import signal

        interrupt = signal.getsignal(signal.SIGINT)
        if interrupt is signal.default_int_handler:  # else whoever started us has it ignored
            # Nothing is written yet. An exception could get lost or wrapped inside a module being read.
            signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        if hasattr(signal, "pthread_sigmask"):  # the shell script `papierformer` holds it back until here
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        from generator.commands import cli

        signal.signal(signal.SIGINT, interrupt)
        status = cli.main()
        if interrupt is signal.default_int_handler:  # all is done: nothing is left to end
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        return status
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    import sys

    sys.exit(main())
