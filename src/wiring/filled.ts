import { fromPromise } from 'xstate';

/** Fills a port with work that can be called off. */
export const filled = <Input, Output>(work: (input: Input, signal: AbortSignal) => Promise<Output>) =>
  fromPromise<Output, Input>(({ input, signal }) => work(input, signal));
