/** Startup failed for a known reason. `main.ts` prints the message and exits with code 1. */
export class StartupError extends Error {
  constructor(line: string) {
    super(line);
    this.name = 'StartupError';
  }
}
