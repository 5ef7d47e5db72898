@rem For npm scripts on Windows: a POSIX shell has "exec", which hands the signals of npm to the program.
@%*
