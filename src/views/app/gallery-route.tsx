import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { ToothPicker } from '../edit/tooth-picker.tsx';
import { GalleryPage } from '../gallery/gallery-page.tsx';
import { useMissingText } from '../language/claim-text.ts';
import { patientPath } from '../workspace/patient/patient-location.ts';

/** Returns the viewset in which all images are mounted; null when they differ or one is unmounted. */
const sharedViewset = (images: readonly GalleryImage[]): string | null => {
  const viewsetId = images[0]?.viewsetId ?? null;
  return images.every((image) => image.viewsetId === viewsetId) ? viewsetId : null;
};

/** The gallery of a clinic, with links into the viewer workspace. */
export const GalleryRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const { t } = useTranslation('gallery');
  const missingText = useMissingText();
  const mayNotOpen = useSelector(session, selectMay('disable.open'));
  const open = ({ patientId, seriesUid, viewsetId, uid }: GalleryImage) =>
    navigate(patientPath(patientId, { series: seriesUid, viewsetId, imageUid: uid }));
  const compare = (images: readonly GalleryImage[]) => {
    const [first] = images;
    if (!first) return;
    const place = { series: first.seriesUid, viewsetId: sharedViewset(images), compare: images.map(({ uid }) => uid) };
    navigate(patientPath(first.patientId, place));
  };
  return (
    <GalleryPage
      clinicId={clinicId}
      onOpen={open}
      onCompare={compare}
      downloadDisabledReason={mayNotOpen ? `${t('noDownloadRight')}. ${missingText(['disable.open'])}` : null}
      renderTeeth={(teeth, onChange) => <ToothPicker teeth={teeth} isFollowing={false} onChange={onChange} />}
    />
  );
};
