import { expect, it } from 'vitest';
import type { DicomWebImageRow } from '../../server/db/stores/dicomweb-images.ts';
import { sendImages } from '../../server/dicom-gateway/sending/send-images.ts';
import type { Association, Context } from '../../server/dimse/association/association.ts';
import type { ProposedContext } from '../../server/dimse/pdu/associate.ts';
import type { FileStore } from '../../server/storage/file-store.ts';

/** An association whose device accepts no context. */
const refusing = (ends: string[]): Association => {
  let isOver = false;
  const end = (how: string) => {
    if (!isOver) ends.push(how);
    isOver = true;
  };
  return {
    contexts: new Map<number, Context>(),
    hasEnded: () => isOver,
    release: async () => end('released'),
    abort: () => end('aborted'),
  } as Partial<Association> as Association;
};

const imageOf = (kind: number) => ({
  imageId: String(kind),
  row: {
    sop_class_uid: `1.2.840.10008.5.1.4.1.1.1.${kind}`,
    transfer_syntax: '1.2.840.10008.1.2.1',
  } as DicomWebImageRow,
});
const unused = { files: {} as FileStore, imaging: {} as never, onUnreadable: () => undefined };

it('proposes more kinds of images than an association can have over several, each kind once', async () => {
  const proposals: (readonly ProposedContext[])[] = [];
  const [ends, outcomes]: [string[], Map<string, string>] = [[], new Map()];
  const images = Array.from({ length: 300 }, (_, index) => imageOf(index % 150));
  await sendImages({
    ...unused,
    images: images.map((image, index) => ({ ...image, imageId: String(index) })),
    open: async (contexts) => {
      proposals.push(contexts);
      return refusing(ends);
    },
    onLeaving: async () => null,
    onOutcome: async (id, { outcome }) => void outcomes.set(id, outcome),
  });
  expect(proposals.map((contexts) => contexts.length)).toEqual([128, 22]);
  for (const contexts of proposals) expect(contexts.every(({ id }, index) => id === index * 2 + 1)).toBe(true);
  expect(new Set(proposals.flat().map(({ abstractSyntax }) => abstractSyntax)).size).toBe(150);
  expect([...outcomes.values()]).toEqual(Array(300).fill('not-accepted'));
  expect(ends).toEqual(['released', 'released']);
});

it('ends the association when the caller fails', async () => {
  const ends: string[] = [];
  const { row } = imageOf(1);
  const context = { id: 1, abstractSyntax: row.sop_class_uid ?? '', transferSyntax: row.transfer_syntax };
  const sent = sendImages({
    ...unused,
    images: [imageOf(1)],
    open: async () => ({ ...refusing(ends), contexts: new Map([[1, context]]) }),
    onLeaving: () => Promise.reject(new Error('the database is not available')),
    onOutcome: async () => undefined,
  });
  await expect(sent).rejects.toThrow('the database is not available');
  expect(ends).toEqual(['aborted']);
});
