import { expect, it, vi } from 'vitest';
import type { Failure } from '../../src/services/failure.ts';
import { createSendFiles, type UploadEvent } from '../../src/services/send-files.ts';
import type { FileToSend, UploadListener } from '../../src/services/uploads.ts';

const settled = () => new Promise(setImmediate);
const failure: Failure = { kind: 'refused', status: 413, code: 'too-large', errors: [] };
const files = ['one', 'two', 'gone'].map((key) => ({ key, path: `folder/${key}`, sizeBytes: 10 }));

/** An upload whose progress the test reports. */
const started = () => {
  const reported: UploadEvent[] = [];
  const sent: { readonly taskId: string; readonly files: readonly FileToSend[]; readonly listener: UploadListener }[] =
    [];
  const stopped = vi.fn();
  const updateFiles = vi.fn();
  const bytes = new Map(['one', 'two'].map((key) => [key, new File(['x'], key)]));
  const sendFiles = createSendFiles({
    uploader: () => (taskId, toSend, listener) => {
      sent.push({ taskId, files: toSend, listener });
      return stopped;
    },
    importFiles: { filesOf: async () => bytes, updateFiles },
  });
  const stop = sendFiles({ id: 'import', taskId: 'task', kind: 'dicom', files }, (event) => reported.push(event));
  return { reported, sent, stopped, updateFiles, bytes, stop };
};

it('sends the stored bytes, and stores how each file ended before it is reported', async () => {
  const { reported, sent, updateFiles, bytes } = started();
  await settled();
  const [upload] = sent;
  expect(upload?.taskId).toBe('task');
  expect(upload?.files.map(({ key, file }) => [key, file])).toEqual([
    ['one', bytes.get('one')],
    ['two', bytes.get('two')],
    ['gone', null],
  ]);
  upload?.listener.onWaiting('connection');
  upload?.listener.onWaiting(null);
  upload?.listener.onUploaded('one');
  upload?.listener.onRefused('two', failure);
  upload?.listener.onLost('gone');
  upload?.listener.onFinished(null);
  expect(updateFiles).toHaveBeenCalledExactlyOnceWith('import', [
    { key: 'one', status: 'uploaded', failure: null },
    { key: 'two', status: 'refused', failure },
    { key: 'gone', status: 'lost', failure: null },
  ]);
  expect(reported.map(({ type }) => type)).toEqual([
    'upload.waited',
    'upload.continued',
    'upload.progressed',
    'upload.finished',
  ]);
});

it('stops the upload, or does not start it when it was stopped before the bytes were read', async () => {
  const running = started();
  await settled();
  running.stop();
  expect(running.stopped).toHaveBeenCalledOnce();
  const early = started();
  early.stop();
  await settled();
  expect(early.sent).toEqual([]);
});
