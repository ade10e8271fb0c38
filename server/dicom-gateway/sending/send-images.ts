import type { ImageOutcome } from '../../../contract/dicom-sendings.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import type { Imaging } from '../../dicom/imaging.ts';
import type { Association } from '../../dimse/association/association.ts';
import { AssociationError } from '../../dimse/association/association-error.ts';
import { isStored, statuses } from '../../dimse/message/message.ts';
import type { ProposedContext } from '../../dimse/pdu/associate.ts';
import { createRequests } from '../../dimse/user/requests.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';
import { fetchedObject } from '../fetched-object.ts';

/** Thrown when the device has no resources now (PS3.4 B.2.3): the other images would not fit either. */
export class DeviceBusy extends Error {
  override readonly name = 'DeviceBusy';
}

export interface Outcome {
  readonly outcome: ImageOutcome;
  /** Of a refused image. */
  readonly status?: number;
}

export interface WaitingImage {
  readonly imageId: string;
  /** Null: it is gone. */
  readonly row: DicomWebImageRow | null;
}

interface Sending {
  readonly images: readonly WaitingImage[];
  readonly files: FileStore;
  readonly imaging: Pick<Imaging, 'frame'>;
  readonly open: (contexts: readonly ProposedContext[]) => Promise<Association>;
  /** Returns the image as it leaves now, and records that it leaves; null when it is gone. @throws to stop */
  readonly onLeaving: (imageId: string) => Promise<DicomWebImageRow | null>;
  readonly onOutcome: (imageId: string, outcome: Outcome) => Promise<void>;
  /** Learns why a file could not be read. */
  readonly onUnreadable: (error: unknown) => void;
}

type Kind = Pick<DicomWebImageRow, 'sop_class_uid' | 'transfer_syntax'>;

/** Presentation contexts of one association (PS3.8 9.3.2.2: odd numbers below 256). */
const maxContexts = 128;

const keyOf = ({ sop_class_uid, transfer_syntax }: Kind) => `${sop_class_uid} ${transfer_syntax}`;

/** One context for each class and encoding, so that the device decides about each of them. */
const contextsOf = (rows: readonly DicomWebImageRow[]): ProposedContext[] => {
  const kinds = new Map(rows.map((row) => [keyOf(row), row]));
  return [...kinds.values()].slice(0, maxContexts).map((row, index) => ({
    id: index * 2 + 1,
    abstractSyntax: row.sop_class_uid ?? '',
    transferSyntaxes: [row.transfer_syntax],
  }));
};

const takes = ({ contexts }: Association, row: DicomWebImageRow): boolean =>
  [...contexts.values()].some(
    ({ abstractSyntax, transferSyntax }) =>
      abstractSyntax === row.sop_class_uid && transferSyntax === row.transfer_syntax,
  );

/** Whether the device or the files folder failed, and not one file. */
const concernsAll = (error: unknown): boolean =>
  error instanceof AssociationError ||
  error instanceof DeviceBusy ||
  (error instanceof StorageError && error.code === 'away');

/** Sends an object as it is stored, with the patient and study of the records. @throws DeviceBusy, AssociationError */
const sendOne = async (
  association: Association,
  { files, imaging, onUnreadable }: Sending,
  row: DicomWebImageRow,
): Promise<Outcome> => {
  const object = fetchedObject({ files, imaging }, row);
  try {
    const dataSet = await object.open(row.transfer_syntax);
    const { status } = await createRequests(association).store({ ...object, dataSet });
    if (isStored(status)) return { outcome: 'sent' };
    if ((status & 0xff00) === statuses.outOfResources) throw new DeviceBusy('The device is out of resources');
    return { outcome: 'refused', status };
  } catch (error) {
    if (concernsAll(error)) throw error;
    onUnreadable(error);
    return { outcome: 'unreadable' };
  }
};

/** Sends images over an association until it ends. Returns those that need another one. */
const sendOver = async (
  association: Association,
  sending: Sending,
  images: readonly WaitingImage[],
): Promise<readonly WaitingImage[]> => {
  for (const [index, { imageId, row: proposed }] of images.entries()) {
    // A file that cannot be read to its end has ended the association.
    if (association.hasEnded()) return images.slice(index);
    if (proposed && !takes(association, proposed)) {
      await sending.onOutcome(imageId, { outcome: 'not-accepted' });
      continue;
    }
    const row = await sending.onLeaving(imageId);
    await sending.onOutcome(imageId, row ? await sendOne(association, sending, row) : { outcome: 'gone' });
  }
  if (!association.hasEnded()) await association.release();
  return [];
};

/** Opens an association for as many kinds of images as it can have, and sends those. Returns the images that need another one. */
const sendSome = async (sending: Sending, images: readonly WaitingImage[]): Promise<readonly WaitingImage[]> => {
  const proposed = contextsOf(images.flatMap(({ row }) => row ?? []));
  const kinds = new Set(proposed.map((context) => `${context.abstractSyntax} ${context.transferSyntaxes[0]}`));
  const fits = ({ row }: WaitingImage) => row !== null && kinds.has(keyOf(row));
  const association = await sending.open(proposed);
  try {
    const left = await sendOver(association, sending, images.filter(fits));
    return [...left, ...images.filter((image) => !fits(image))];
  } finally {
    association.abort();
  }
};

const isSendable = ({ row }: WaitingImage): boolean => row !== null && row.sop_class_uid !== null;

/**
 * Sends images to a device (C-STORE) and records how it went with each. Nothing is converted: an image whose class or encoding the device does not
 * take is not accepted. @throws DeviceBusy, AssociationError, StorageError 'away'; the reason of `onLeaving`
 */
export const sendImages = async (sending: Sending): Promise<void> => {
  for (const image of sending.images.filter((one) => !isSendable(one)))
    await sending.onOutcome(image.imageId, { outcome: image.row ? 'unreadable' : 'gone' });
  let left: readonly WaitingImage[] = sending.images.filter(isSendable);
  while (left.length > 0) left = await sendSome(sending, left);
};
