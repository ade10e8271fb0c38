import { type Remote, transfer, wrap } from 'comlink';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { DecodeWorker, Outcome, ToDecode } from './decode-worker.ts';
import type { DecodedImage } from './decoded-image.ts';
import type { Histogram } from './histogram.ts';
import type { ImagePixels, LoadedImage } from './loaded-image.ts';
import type { PixelFilters } from './pixel-filters.ts';

/** Decode workers, started when first needed and ended when idle for long; the least busy one is asked next. */
export interface DecodePool {
  /** Rejects with DicomProblem as `decodeFrame` does. The buffer of `payload` is given away. */
  readonly decode: (image: ToDecode, payload: Uint8Array) => Promise<DecodedImage>;
  readonly filter: (image: LoadedImage, filters: PixelFilters) => Promise<ImagePixels>;
  /** In modality values, padding left out. */
  readonly histogram: (image: LoadedImage, bins: number) => Promise<Histogram>;
  readonly dispose: () => void;
}

interface Hand {
  readonly worker: Worker;
  readonly remote: Remote<DecodeWorker>;
  /** Rejects when the worker dies; a call under way would wait for ever. */
  readonly death: Promise<never>;
  calls: number;
  rest: ReturnType<typeof setTimeout> | undefined;
}

/** The memory of a WebAssembly decoder never shrinks: it goes with its worker. */
const idleMs = 30_000;

const startHand = (died: (hand: Hand) => void): Hand => {
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module', name: 'decode' });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  const hand: Hand = { worker, remote: wrap<DecodeWorker>(port1), death, calls: 0, rest: undefined };
  worker.addEventListener('error', () => {
    died(hand);
    reject(new Error('the decode worker could not be started, or stopped'));
  });
  return hand;
};

export const createDecodePool = (size: number): DecodePool => {
  let hands: Hand[] = [];

  const drop = (hand: Hand) => {
    hands = hands.filter((other) => other !== hand);
    clearTimeout(hand.rest);
    hand.worker.terminate();
  };

  const leastBusy = (): Hand => {
    const [idle] = hands.toSorted((one, other) => one.calls - other.calls);
    if (idle && (idle.calls === 0 || hands.length >= size)) return idle;
    const hand = startHand(drop);
    hands.push(hand);
    return hand;
  };

  const call = async <Result>(use: (remote: Remote<DecodeWorker>) => Promise<Result>): Promise<Result> => {
    const hand = leastBusy();
    hand.calls++;
    clearTimeout(hand.rest);
    try {
      return await Promise.race([use(hand.remote), hand.death]);
    } finally {
      hand.calls--;
      if (hand.calls === 0) hand.rest = setTimeout(() => drop(hand), idleMs);
    }
  };

  return {
    decode: async ({ description, stored, range }, payload) => {
      const outcome = await call(
        async (remote): Promise<Outcome<DecodedImage>> =>
          await remote.decode({ description, stored, range }, transfer(payload, [payload.buffer])),
      );
      if (!outcome.ok) throw new DicomProblem(outcome.code, outcome.detail);
      return outcome.result;
    },
    filter: ({ pixels, pixelWidth, pixelHeight }, filters) =>
      call(async (remote): Promise<ImagePixels> => await remote.filter(pixels, pixelWidth, pixelHeight, filters)),
    histogram: ({ pixels, modality, range, description: { padding } }, bins) =>
      call(
        async (remote): Promise<Histogram> =>
          await remote.histogram({ pixels, modality, range, description: { padding } }, bins),
      ),
    dispose: () => {
      for (const hand of hands) drop(hand);
    },
  };
};
