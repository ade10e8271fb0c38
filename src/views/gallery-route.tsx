import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import type { GalleryImage } from '../../contract/gallery.ts';
import { type SessionActor, selectMay } from '../machines/session/session.machine.ts';
import { ToothPicker } from './edit/tooth-picker.tsx';
import { GalleryPage } from './gallery/gallery-page.tsx';
import { useMissingText } from './language/claim-text.ts';
import { placePath } from './patient/place.ts';

/** The viewset in which all of them hang; null when they hang in several, or one in none. */
const sharedViewset = (images: readonly GalleryImage[]): string | null => {
  const viewsetId = images[0]?.viewsetId ?? null;
  return images.every((image) => image.viewsetId === viewsetId) ? viewsetId : null;
};

/** The gallery of a clinic, with the ways from it into the reading room. */
export const GalleryRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const { t } = useTranslation('gallery');
  const missingText = useMissingText();
  const mayNotOpen = useSelector(session, selectMay('disable.open'));
  const open = ({ patientId, seriesUid, viewsetId, uid }: GalleryImage) =>
    navigate(placePath(patientId, { series: seriesUid, viewsetId, imageUid: uid }));
  const compare = (images: readonly GalleryImage[]) => {
    const [first] = images;
    if (!first) return;
    const place = { series: first.seriesUid, viewsetId: sharedViewset(images), compare: images.map(({ uid }) => uid) };
    navigate(placePath(first.patientId, place));
  };
  return (
    <GalleryPage
      clinicId={clinicId}
      onOpen={open}
      onCompare={compare}
      downloadBarred={mayNotOpen ? `${t('mayNotDownload')}. ${missingText(['disable.open'])}` : null}
      renderTeeth={(teeth, onChange) => <ToothPicker teeth={teeth} isFollowing={false} onChange={onChange} />}
    />
  );
};
