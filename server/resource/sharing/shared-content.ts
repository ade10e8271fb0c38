import { type Display, plainDisplay } from '../../../contract/displays.ts';
import { acquiredOf } from '../../../contract/images.ts';
import type { SharedContent, SharedImage } from '../../../contract/shared-links.ts';
import type { SharedImageRow } from '../../db/stores/shared-images.ts';
import type { OpenLink } from '../../db/stores/shared-links.ts';

/** Returns the display with which the clinic shows an image; null: as stored. */
const displayOf = ({ slot, display }: SharedImageRow): Display | null => {
  if (!slot) return display;
  const { rotation, horizontalFlip } = slot;
  return slot.display ?? { ...plainDisplay, rotation, horizontalFlip };
};

const dateOf = ({ source, acquired_at, study_date }: SharedImageRow): string | null =>
  acquiredOf({ source, imageAcquiredDate: acquired_at ?? study_date })?.slice(0, 10) ?? null;

const imageOf = (row: SharedImageRow): SharedImage => ({
  uid: row.id,
  kind: row.kind,
  date: dateOf(row),
  modality: row.modality,
  teeth: row.teeth,
  frames: row.frames,
  transferSyntax: row.transfer_syntax,
  display: displayOf(row),
});

/** Returns what the page of an opened link shows. */
export const sharedContentOf = (link: OpenLink, rows: readonly SharedImageRow[]): SharedContent => ({
  clinic: link.clinic_name,
  recipient: link.recipient,
  purpose: link.purpose,
  question: link.question,
  expiresAt: link.expires_at.toISOString(),
  patient: link.shows_patient ? { name: link.patient_name, personalNumber: link.personal_number } : null,
  images: rows.map(imageOf),
});
