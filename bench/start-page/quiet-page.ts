import type { Browser, CDPSession } from '@playwright/test';

/** A page of its own browser context, driven by the few commands of the DevTools protocol that a measurement needs. */
export interface QuietPage {
  readonly send: (method: string, parameters?: object) => Promise<unknown>;
  /** Returns the value of an expression in the page. @throws the message of what the expression throws */
  readonly value: <T>(expression: string) => Promise<T>;
  readonly on: (method: string, listener: (parameters: never) => void) => void;
  readonly close: () => Promise<void>;
}

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: never;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Evaluated<T> {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: { readonly text: string };
}

/** The commands for whole targets, which Playwright's types leave out. */
type Root = { send: (method: string, parameters?: object) => Promise<never> } & Pick<CDPSession, 'on' | 'detach'>;

/**
 * Opens a page that Playwright does not observe. Playwright enables `Runtime` of the protocol, with which V8 records the stack of each error
 * object and parses scripts again for it: a tenth of a second that no real visitor waits.
 */
export const openQuietPage = async (browser: Browser, size: { width: number; height: number }): Promise<QuietPage> => {
  const root = (await browser.newBrowserCDPSession()) as unknown as Root;
  const { browserContextId } = await root.send('Target.createBrowserContext');
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId, ...size });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map<number, (reply: Reply) => void>();
  const hearing = new Map<string, (parameters: never) => void>();
  root.on('Target.receivedMessageFromTarget', ({ message }) => {
    const reply: Reply = JSON.parse(message);
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
    else if (reply.method && reply.params) hearing.get(reply.method)?.(reply.params);
  });
  let sent = 0;
  const send = async (method: string, params: object = {}) => {
    const id = ++sent;
    const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    await root.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    const { result, error } = await replied;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return {
    send,
    value: async <T>(expression: string) => {
      const evaluation = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = (await send('Runtime.evaluate', evaluation)) as Evaluated<T>;
      if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
      return result.value;
    },
    on: (method, listener) => void hearing.set(method, listener),
    close: async () => {
      await root.send('Target.disposeBrowserContext', { browserContextId });
      await root.detach();
    },
  };
};
