/** The server cannot start, and one line says why. `main.ts` prints it and ends with exit code 1. */
export class StartRefused extends Error {
  constructor(line: string) {
    super(line);
    this.name = 'StartRefused';
  }
}
