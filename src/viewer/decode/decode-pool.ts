import { type Remote, transfer, wrap } from 'comlink';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { Decoded, DecodeWorker, Outcome, ToDecode } from './decode-worker.ts';
import type { Histogram } from './histogram.ts';
import type { ImagePixels, LoadedImage } from './loaded-image.ts';
import type { PixelFilters } from './pixel-filters.ts';

/** A pool of decode workers, started on demand and terminated after an idle time; the least busy one gets the next task. */
export interface DecodePool {
  /** Rejects with DicomProblem as `decodeFrame` does. The buffer of `payload` is transferred. */
  readonly decode: (image: ToDecode, payload: Uint8Array) => Promise<Decoded>;
  readonly filter: (image: LoadedImage, filters: PixelFilters) => Promise<ImagePixels>;
  /** In modality values, without padding. */
  readonly histogram: (image: LoadedImage, bins: number) => Promise<Histogram>;
  readonly dispose: () => void;
}

interface WorkerSlot {
  readonly worker: Worker;
  readonly remote: Remote<DecodeWorker>;
  /** Rejects when the worker fails; pending calls would never settle otherwise. */
  readonly death: Promise<never>;
  calls: number;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
}

/** WebAssembly memory never shrinks; terminating the worker frees it. */
const idleMs = 30_000;

const startWorker = (died: (slot: WorkerSlot) => void): WorkerSlot => {
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module', name: 'decode' });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  const slot: WorkerSlot = { worker, remote: wrap<DecodeWorker>(port1), death, calls: 0, idleTimer: undefined };
  worker.addEventListener('error', () => {
    died(slot);
    reject(new Error('The decode worker could not be started or has failed'));
  });
  return slot;
};

export const createDecodePool = (size: number): DecodePool => {
  let slots: WorkerSlot[] = [];

  const drop = (slot: WorkerSlot) => {
    slots = slots.filter((other) => other !== slot);
    clearTimeout(slot.idleTimer);
    slot.worker.terminate();
  };

  const leastBusy = (): WorkerSlot => {
    const [idle] = slots.toSorted((one, other) => one.calls - other.calls);
    if (idle && (idle.calls === 0 || slots.length >= size)) return idle;
    const slot = startWorker(drop);
    slots.push(slot);
    return slot;
  };

  const call = async <Result>(use: (remote: Remote<DecodeWorker>) => Promise<Result>): Promise<Result> => {
    const slot = leastBusy();
    slot.calls++;
    clearTimeout(slot.idleTimer);
    try {
      return await Promise.race([use(slot.remote), slot.death]);
    } finally {
      slot.calls--;
      if (slot.calls === 0) slot.idleTimer = setTimeout(() => drop(slot), idleMs);
    }
  };

  return {
    decode: async ({ description, stored, range, overlayPlanes, arePlanesPacked }, payload) => {
      const outcome = await call(
        async (remote): Promise<Outcome<Decoded>> =>
          await remote.decode(
            { description, stored, range, overlayPlanes, arePlanesPacked },
            transfer(payload, [payload.buffer]),
          ),
      );
      if (!outcome.ok) throw new DicomProblem(outcome.code, outcome.detail);
      return outcome.result;
    },
    filter: ({ pixels, pixelWidth, pixelHeight }, filters) =>
      call(async (remote): Promise<ImagePixels> => await remote.filter(pixels, pixelWidth, pixelHeight, filters)),
    histogram: ({ pixels, pixelWidth, pixelHeight, reduction, coded, modality, range, description }, bins) => {
      const { padding } = description;
      const counted = { pixels, pixelWidth, pixelHeight, reduction, coded, modality, range, description: { padding } };
      return call(async (remote): Promise<Histogram> => await remote.histogram(counted, bins));
    },
    dispose: () => {
      for (const slot of slots) drop(slot);
    },
  };
};
