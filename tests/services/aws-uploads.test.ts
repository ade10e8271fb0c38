import { describe, expect, it, vi } from 'vitest';
import { awsBegin } from '../../contract/aws-uploads.ts';
import { createAwsUploads } from '../../src/services/aws-uploads.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { chosen, keyOf, objectStoreOf, problemOf, taskId, upload, withBrowserUploads } from './object-store-double.ts';

withBrowserUploads();

const text = 'one-part--two-part--three';

describe('an upload to the object store', () => {
  it('sends each part to its own URL, and notifies the archive when all parts are stored', async () => {
    const store = await objectStoreOf();
    const files = [chosen('a', text), chosen('b', 'small'), chosen('empty', '')];
    const { reported, progress, ended } = upload(store.call, files);
    const finished = await ended;
    expect(finished).toMatchObject({ finished: { awsDirectroryKey: `imports/${taskId}` } });
    expect(reported.sort()).toEqual(['a uploaded', 'b uploaded', 'empty uploaded']);
    expect([store.held('a'), store.held('b'), store.held('empty')]).toEqual([text, 'small', '']);
    const last = progress.filter(({ name }) => name === 'a').at(-1);
    expect(last).toEqual({ name: 'a', loaded: text.length, before: false });
    for (const { loaded } of progress) expect(loaded).toBeLessThanOrEqual(text.length);
  });

  it('sends the store nothing but the bytes', async () => {
    const store = await objectStoreOf();
    await upload(store.call, [chosen('Åsa Lindström', text)]).ended;
    for (const { headers, url } of store.seen) {
      expect(headers.authorization).toBeUndefined();
      expect(headers.cookie).toBeUndefined();
      expect(decodeURIComponent(`${url}${JSON.stringify(headers)}`)).not.toMatch(/Lindstr|folder/);
    }
  });

  it('limits the number of concurrent parts', async () => {
    const store = await objectStoreOf();
    await upload(store.call, [chosen('a', text.repeat(4)), chosen('b', text.repeat(4))]).ended;
    expect(store.most()).toBeGreaterThan(1);
    expect(store.most()).toBeLessThanOrEqual(4);
    expect(store.held('b')).toBe(text.repeat(4));
  });

  it('sends a part again after a connection loss, and reports that it waits', async () => {
    const store = await objectStoreOf((_, part, attempt) => (part === 2 && attempt < 4 ? 'hang up' : 200));
    const { reported, ended } = upload(store.call, [chosen('a', text)]);
    expect(await ended).toHaveProperty('finished');
    expect(reported[0]).toBe('waiting');
    expect(reported.slice(-2)).toEqual(['going on', 'a uploaded']);
    expect(store.held('a')).toBe(text);
    expect(store.attempts.get(`${keyOf('a')}/2`)).toBe(4);
    expect(store.attempts.get(`${keyOf('a')}/1`)).toBe(1);
  });

  it('sends a part again that the store could not accept', async () => {
    const store = await objectStoreOf((_, part, attempt) => (part === 3 && attempt < 3 ? 503 : 200));
    const { ended } = upload(store.call, [chosen('a', text)]);
    expect(await ended).toHaveProperty('finished');
    expect(store.held('a')).toBe(text);
  });

  it('fails when the store never accepts a part', async () => {
    const store = await objectStoreOf(() => 503);
    const { reported, ended } = upload(store.call, [chosen('a', text)]);
    expect(await ended).toMatchObject({ kind: 'refused', code: 'object-store-away' });
    expect(reported).toEqual([]);
  });

  it('requests new URLs when they expire, and sends only what is missing', async () => {
    const store = await objectStoreOf((_, part, _attempt, urlCount) => (part > 1 && urlCount === 1 ? 403 : 200));
    const { ended } = upload(store.call, [chosen('a', text)]);
    expect(await ended).toHaveProperty('finished');
    expect(store.held('a')).toBe(text);
    expect(store.uploads.get(keyOf('a'))?.urlCounts).toBe(2);
  });

  it('does not request new URLs endlessly', async () => {
    const store = await objectStoreOf(() => 403);
    expect(await upload(store.call, [chosen('a', text)]).ended).toMatchObject({ kind: 'drift' });
    expect(store.uploads.get(keyOf('a'))?.urlCounts).toBeLessThan(10);
  });

  it('sends a part that the store has lost meanwhile', async () => {
    const store = await objectStoreOf();
    const call = (async (route: never, options: never) => {
      const parts = store.uploads.get(keyOf('a'))?.parts;
      if ((route as { path: string }).path !== awsBegin.path && store.uploads.get(keyOf('a'))?.urlCounts === 1)
        parts?.delete(2);
      return store.call(route, options);
    }) as unknown as Call;
    expect(await upload(call, [chosen('a', text)]).ended).toHaveProperty('finished');
    expect(store.held('a')).toBe(text);
    expect(store.attempts.get(`${keyOf('a')}/2`)).toBe(2);
    expect(store.attempts.get(`${keyOf('a')}/1`)).toBe(1);
  });

  it('resumes where it stopped, also in a later session', async () => {
    const reached = Promise.withResolvers<void>();
    const store = await objectStoreOf((_, part, attempt) => {
      if (part !== 3 || attempt > 1) return 200;
      reached.resolve();
      return 'wait';
    });
    const first = upload(store.call, [chosen('a', text)]);
    await reached.promise;
    await vi.waitUntil(() => store.uploads.get(keyOf('a'))?.parts.size === 2);
    first.stop();
    const second = upload(store.call, [chosen('a', text)]);
    expect(await second.ended).toHaveProperty('finished');
    expect(second.progress[0]).toEqual({ name: 'a', loaded: 20, before: true });
    expect(store.attempts.get(`${keyOf('a')}/1`)).toBe(1);
    expect(store.held('a')).toBe(text);
    expect(first.reported).toEqual([]);
  });

  it('reports a file that the archive already has as received', async () => {
    const store = await objectStoreOf();
    await upload(store.call, [chosen('a', text)]).ended;
    const again = upload(store.call, [chosen('a', text)]);
    expect(await again.ended).toMatchObject({ finished: { awsFileName: `name-${keyOf('a')}` } });
    expect(again.reported).toEqual(['a uploaded']);
    expect(store.seen).toHaveLength(3);
  });

  it('reports rejected and unreadable files, and sends the others', async () => {
    const store = await objectStoreOf(undefined, (key, what) =>
      key === keyOf('b') && what === 'begin' ? problemOf('too-large', 413) : null,
    );
    const gone = { key: keyOf('gone'), path: 'folder/gone', file: null };
    const { reported, ended } = upload(store.call, [chosen('a', text), chosen('b', 'b'), gone, chosen('c', 'c')]);
    expect(await ended).toHaveProperty('finished');
    expect(reported.sort()).toEqual(['a uploaded', 'b refused too-large', 'c uploaded', 'gone lost']);
  });

  it('reports a file that can no longer be read', async () => {
    const store = await objectStoreOf(() => 'hang up');
    const one = chosen('a', text);
    const unreadable = {
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')), size: 10 }),
    };
    const file = Object.assign(unreadable, { size: text.length, name: 'a' }) as unknown as File;
    const call = createAwsUploads({
      call: store.call,
      delaysMs: [1],
      network: { onOnline: () => () => undefined },
      sendPart: async () => {
        throw new ServiceError({ kind: 'offline' });
      },
    });
    const lost = await new Promise((resolve) =>
      call(taskId, [{ ...one, file }], {
        onProgress: () => {},
        onUploaded: () => {},
        onRefused: () => {},
        onWaiting: () => {},
        onLost: (key) => resolve(key),
        onFinished: () => {},
        onBroken: resolve,
      }),
    );
    expect(lost).toBe(keyOf('a'));
  });

  it('stops when the whole import is rejected', async () => {
    const store = await objectStoreOf(undefined, () => problemOf('import-wrong-step', 409));
    const { reported, ended } = upload(store.call, [chosen('a', text), chosen('b', text)]);
    expect(await ended).toMatchObject({ kind: 'refused', code: 'import-wrong-step' });
    expect(reported).toEqual([]);
    expect(store.seen).toEqual([]);
  });

  it('reports nothing after it was stopped', async () => {
    const reached = Promise.withResolvers<void>();
    const store = await objectStoreOf(() => {
      reached.resolve();
      return 'wait';
    });
    const { reported, ended, stop, progress } = upload(store.call, [chosen('a', text)]);
    await reached.promise;
    stop();
    const eventCount = progress.length;
    const silence = new Promise<string>((resolve) => setImmediate(() => setImmediate(() => resolve('silence'))));
    expect(await Promise.race([ended, silence])).toBe('silence');
    expect([reported, progress.length]).toEqual([[], eventCount]);
  });
});
