import { type RefObject, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import { type MountedImage, mountedImagesOf } from '../patient/mounted-images.ts';
import { type PatientLocation, patientPath } from '../patient/patient-location.ts';
import { useWorkspace } from '../workspace-context.ts';
import { type HistoryView, historyOf } from './history-url.ts';
import { isInView, placesOf } from './tooth-history.rules.ts';

/** The tooth history of a patient. */
export interface ToothHistoryControl {
  readonly view: HistoryView | null;
  /** All loaded images of the patient. */
  readonly images: readonly MountedImage[];
  /** Shows the history of a tooth (ISO 3950), or of all teeth for null. A deciduous tooth is shown with its successor. */
  readonly show: (tooth: number | null, from?: HTMLElement | null) => void;
  /** Shows another part of the open history. */
  readonly change: (view: Partial<HistoryView>) => void;
  /** Shows the history of the first tooth of the image, or closes the open history when it covers a tooth of the image. */
  readonly toggle: (imageUid: string | null) => void;
  readonly close: () => void;
  readonly open: (image: ImageInfo) => void;
  readonly compare: (imageUids: readonly string[]) => void;
  /** Where the focus returns when the history closes; null while it was not opened by the user. */
  readonly opener: RefObject<HTMLElement | null>;
}

/** Returns whether toggling closes the open history. An image without teeth closes every history; one with teeth not that of all teeth. */
const closesOnToggle = (view: HistoryView, teeth: readonly number[]): boolean =>
  teeth.length === 0 || (view.tooth !== null && teeth.some((tooth) => isInView(view, tooth)));

/** Returns the tooth history that is open at a location, with the functions that change it. */
export const useToothHistory = (location: PatientLocation, studies: readonly Study[] | null): ToothHistoryControl => {
  const { patientId } = useWorkspace();
  const [, navigate] = useLocation();
  const images = useMemo(() => mountedImagesOf(studies ?? []), [studies]);
  const opener = useRef<HTMLElement | null>(null);
  const { history: view } = location;
  const navigateTo = (to: Partial<PatientLocation>, options?: { replace: boolean }) =>
    navigate(patientPath(patientId, { ...location, ...to }), options);
  const show: ToothHistoryControl['show'] = (tooth, from = null) => {
    if (view === null)
      opener.current = from ?? (document.activeElement instanceof HTMLElement ? document.activeElement : null);
    const { kinds, panoramics } = view ?? historyOf(tooth);
    navigateTo({ history: { ...historyOf(tooth), kinds, panoramics } });
  };
  const close = () => {
    navigateTo({ history: null });
    opener.current?.focus({ preventScroll: true });
    opener.current = null;
  };
  return {
    view,
    images,
    show,
    change: (changes) => view && navigateTo({ history: { ...view, ...changes } }, { replace: true }),
    toggle: (imageUid) => {
      const image = images.find(({ uid }) => uid === imageUid);
      const teeth = image ? placesOf(image) : [];
      if (view && closesOnToggle(view, teeth)) close();
      else show(teeth[0] ?? null);
    },
    close,
    open: ({ uid, seriesUid }) =>
      navigateTo({ series: seriesUid, viewsetId: null, imageUid: uid, compare: [], prior: null }),
    compare: (compare) => {
      const newest = images.find(({ uid }) => uid === compare.at(-1));
      navigateTo({ series: newest?.seriesUid ?? null, viewsetId: null, imageUid: null, compare, prior: null });
    },
    opener,
  };
};
