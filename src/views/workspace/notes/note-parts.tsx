import { teethShown, type Viewset } from '../../../../contract/viewsets.ts';
import type { ShownImage } from '../../app/shown-content.ts';
import type { NotePart } from '../viewer/display-panel.tsx';
import { NoteSection } from './note-section.tsx';
import type { NoteOwner } from './use-note.ts';

const partOf = (owner: NoteOwner): NotePart => ({
  subject: owner.subject,
  id: owner.id,
  body: <NoteSection key={owner.id} owner={owner} />,
});

/** Returns the note of the active image for the display panel. */
export const imageNote = ({ image, item }: ShownImage, toothText: (teeth: readonly number[]) => string): NotePart => {
  const teeth = item ? teethShown(item) : image.teeth;
  return partOf({
    subject: 'image',
    id: image.uid,
    note: image.note,
    name: toothText(teeth) || image.name.trim() || String(image.number ?? image.order),
    day: image.imageAcquiredDate?.slice(0, 10) ?? null,
    teeth,
  });
};

/** Returns the note of the shown mount for the display panel. `day`: that of its study. */
export const mountNote = ({ viewSetUuid, note, name }: Viewset, day: string | null): NotePart =>
  partOf({ subject: 'viewset', id: viewSetUuid, note, name, day, teeth: [] });
