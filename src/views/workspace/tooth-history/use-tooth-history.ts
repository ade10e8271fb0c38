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
  /** Shows the history of a tooth (ISO 3950), of a deciduous one at its successor's place; of all teeth for null. */
  readonly show: (tooth: number | null, from?: HTMLElement | null) => void;
  /** Shows another part of the open history. */
  readonly change: (view: Partial<HistoryView>) => void;
  /** Shows the history of a tooth of the image; closes it when it is already shown. */
  readonly toggle: (imageUid: string | null) => void;
  readonly close: () => void;
  readonly open: (image: ImageInfo) => void;
  readonly compare: (imageUids: readonly string[]) => void;
  /** Where the focus returns when the history closes; null while it was not opened by the user. */
  readonly opener: RefObject<HTMLElement | null>;
}

/** Returns whether a history shows a tooth of these; one of all teeth shows every image without teeth. */
const isShown = (view: HistoryView, places: readonly number[]): boolean =>
  places.length === 0 || (view.tooth !== null && places.some((place) => isInView(view, place)));

/** Returns the tooth history that is open at a location, and what changes it. */
export const useToothHistory = (location: PatientLocation, studies: readonly Study[] | null): ToothHistoryControl => {
  const { patientId } = useWorkspace();
  const [, navigate] = useLocation();
  const images = useMemo(() => mountedImagesOf(studies ?? []), [studies]);
  const opener = useRef<HTMLElement | null>(null);
  const { history: view } = location;
  const go = (to: Partial<PatientLocation>, options?: { replace: boolean }) =>
    navigate(patientPath(patientId, { ...location, ...to }), options);
  const show: ToothHistoryControl['show'] = (tooth, from = null) => {
    if (view === null)
      opener.current = from ?? (document.activeElement instanceof HTMLElement ? document.activeElement : null);
    const { kinds, panoramics } = view ?? historyOf(tooth);
    go({ history: { ...historyOf(tooth), kinds, panoramics } });
  };
  const close = () => {
    go({ history: null });
    opener.current?.focus({ preventScroll: true });
    opener.current = null;
  };
  return {
    view,
    images,
    show,
    change: (changes) => view && go({ history: { ...view, ...changes } }, { replace: true }),
    toggle: (imageUid) => {
      const image = images.find(({ uid }) => uid === imageUid);
      const places = image ? placesOf(image) : [];
      if (view && isShown(view, places)) close();
      else show(places[0] ?? null);
    },
    close,
    open: ({ uid, seriesUid }) => go({ series: seriesUid, viewsetId: null, imageUid: uid, compare: [], prior: null }),
    compare: (compare) => {
      const newest = images.find(({ uid }) => uid === compare.at(-1));
      go({ series: newest?.seriesUid ?? null, viewsetId: null, imageUid: null, compare, prior: null });
    },
    opener,
  };
};
