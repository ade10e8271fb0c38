/** The part of jsdom that tests use; the package has no types. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { url: string });
    readonly window: typeof globalThis & { close(): void };
  }
}
