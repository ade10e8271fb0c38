import type { Kysely } from 'kysely';
import { acquiredOf, type ImageInfo } from '../../../contract/images.ts';
import type { PrintedPicture, PrintRequest } from '../../../contract/print.ts';
import type { Box } from '../../../contract/print-layout.ts';
import { imageSides, mountSides, noSides, type Sides } from '../../../contract/print-sides.ts';
import { teethShown, type Viewset } from '../../../contract/viewsets.ts';
import type { Schema } from '../../db/schema.ts';
import { accountById } from '../../db/stores/account-store.ts';
import { customerById } from '../../db/stores/customer-store.ts';
import { findImage, type ImageRow } from '../../db/stores/images.ts';
import { type NoteRow, noteVersions } from '../../db/stores/notes.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { findViewset } from '../../db/stores/viewsets.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { requireAccessible } from '../../domain/policy/require-accessible.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { imageInfoOf } from '../image-info.ts';
import type { ThumbLinks } from '../thumb-links.ts';
import { viewsetView } from '../viewset-view.ts';

export interface PictureFacts {
  readonly imageId: string;
  /** Day of exposure, `YYYY-MM-DD`; null when not known. */
  readonly day: string | null;
  /** ISO 3950 */
  readonly teeth: readonly number[];
  /** The patient's sides; unknown in a mount, which has sides as a whole. */
  readonly sides: Sides;
  /** Place in the printed mount, in its units; null without one. */
  readonly slot: Box | null;
  readonly frames: number;
}

export interface SignedNote {
  /** Null: of the mount. */
  readonly imageId: string | null;
  readonly ownerId: string;
  readonly text: string;
  readonly author: string;
  readonly at: Date;
}

/** What a print says about patient and images, from the archive's own records. */
export interface PrintFacts {
  readonly customerId: string;
  readonly patientId: string;
  readonly clinic: string;
  readonly patient: { readonly name: string; readonly personalNumber: string; readonly protectedIdentity: boolean };
  readonly madeBy: string;
  readonly mount: {
    readonly name: string;
    readonly width: number;
    readonly height: number;
    readonly sides: Sides;
  } | null;
  /** In the order of the request. */
  readonly pictures: readonly PictureFacts[];
  readonly notes: readonly SignedNote[];
}

interface FactsDependencies {
  readonly db: Kysely<Schema>;
  readonly thumbLinks: ThumbLinks;
}

/** Returns the newest version that is not a draft, if it is signed. */
const signedOf = (versions: readonly NoteRow[]): NoteRow | null => {
  const final = versions.find(({ state }) => state !== 'draft');
  return final?.state === 'signed' ? final : null;
};

const notesOf = async (db: Kysely<Schema>, imageIds: readonly string[], viewsetId: string | null) => {
  const notes: SignedNote[] = [];
  const add = (imageId: string | null, ownerId: string, versions: readonly NoteRow[]) => {
    const signed = signedOf(versions);
    if (signed) notes.push({ imageId, ownerId, text: signed.text, author: signed.author_name, at: signed.saved_at });
  };
  if (viewsetId) add(null, viewsetId, await noteVersions(db, 'viewset', viewsetId));
  for (const id of new Set(imageIds)) add(id, id, await noteVersions(db, 'image', id));
  return notes;
};

const pictureFacts = (
  { turned }: PrintedPicture,
  image: ImageInfo,
  item: Viewset['viewSetItems'][number] | null,
  isMounted: boolean,
): PictureFacts => {
  const teeth = item ? teethShown(item) : image.teeth;
  const { laterality, seriesModalityValue: modality } = image;
  return {
    imageId: image.uid,
    day: acquiredOf(image)?.slice(0, 10) ?? null,
    teeth,
    sides: isMounted ? noSides : imageSides({ modality, teeth, laterality, turned }),
    slot: isMounted && item ? { x: item.xPos, y: item.yPos, width: item.width, height: item.height } : null,
    frames: image.frames,
  };
};

/** @throws ProblemError 'not-found', 'image-has-no-pixels', or 'invalid-request' for images of several patients */
const imagesOf = async (db: Kysely<Schema>, principal: Principal, { pictures }: PrintRequest): Promise<ImageRow[]> => {
  const rows: ImageRow[] = [];
  for (const { imageUID } of pictures) {
    const known = rows.find(({ id }) => id === imageUID);
    rows.push(known ?? requireAccessible(principal, await findImage(db, imageUID)));
  }
  if (rows.some(({ kind }) => kind !== 'image')) throw new ProblemError('image-has-no-pixels');
  if (new Set(rows.map(({ patient_id }) => patient_id)).size > 1)
    throw new ProblemError('invalid-request', [{ fieldKey: 'pictures' }]);
  return rows;
};

/** Returns the slots of all mounts that the request names. @throws ProblemError 'not-found', 'conflict' */
const viewsetsOf = async (
  { db, thumbLinks }: FactsDependencies,
  principal: Principal,
  { viewset, pictures }: PrintRequest,
): Promise<ReadonlyMap<string, Viewset>> => {
  const links = thumbLinks.of(principal);
  const views = new Map<string, Viewset>();
  for (const id of new Set([viewset?.id, ...pictures.map(({ viewsetId }) => viewsetId)]))
    if (id) views.set(id, await viewsetView(db, links, requireAccessible(principal, await findViewset(db, id))));
  if (viewset && views.get(viewset.id)?.version !== viewset.version) throw new ProblemError('conflict');
  return views;
};

/**
 * Returns the facts of a print.
 * @throws ProblemError 'not-found' when a record is not accessible, 'conflict' when an image has left its slot
 */
export const printFacts = async (
  deps: FactsDependencies,
  principal: Principal,
  request: PrintRequest,
): Promise<PrintFacts> => {
  const { db, thumbLinks } = deps;
  const rows = await imagesOf(db, principal, request);
  const [first] = rows;
  const patient = first && (await findPatient(db, first.patient_id));
  if (!first || !patient) throw new ProblemError('not-found');
  const views = await viewsetsOf(deps, principal, request);
  const links = thumbLinks.of(principal);
  const pictures = rows.map((row, index) => {
    const picture = request.pictures[index];
    if (!picture) throw new ProblemError('invalid-request');
    const viewsetId = request.viewset?.id ?? picture.viewsetId;
    const items = viewsetId ? views.get(viewsetId)?.viewSetItems : null;
    const item = items?.find(({ activeImage }) => activeImage?.uid === row.id) ?? null;
    if (items && !item) throw new ProblemError('conflict');
    return pictureFacts(picture, imageInfoOf(row, 1, links), item, request.viewset !== null);
  });
  const mount = request.viewset ? (views.get(request.viewset.id) ?? null) : null;
  const clinic = await customerById(db, first.customer_id);
  const by = await accountById(db, principal.accountId);
  const slots = mount?.viewSetItems.map((item) => ({ x: item.xPos, width: item.width, teeth: teethShown(item) }));
  return {
    customerId: first.customer_id,
    patientId: patient.id,
    clinic: clinic?.name ?? '',
    patient: {
      name: `${patient.first_name} ${patient.last_name}`,
      personalNumber: patient.personal_number,
      protectedIdentity: patient.has_protected_identity,
    },
    madeBy: by ? `${by.firstName} ${by.lastName}` : '',
    mount: mount && { name: mount.name, width: mount.width, height: mount.height, sides: mountSides(slots ?? []) },
    pictures,
    notes: request.withNotes
      ? await notesOf(
          db,
          pictures.map(({ imageId }) => imageId),
          mount?.viewSetUuid ?? null,
        )
      : [],
  };
};
