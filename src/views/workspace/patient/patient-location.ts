import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import type { Gone } from '../../app/edit-requests.ts';
import type { PriorPair } from '../../app/shown-content.ts';
import { formatHistory, type HistoryView } from '../tooth-history/history-url.ts';

/** Location within a patient's page, stored in the URL. */
export interface PatientLocation {
  readonly series: string | null;
  readonly viewsetId: string | null;
  readonly imageUid: string | null;
  /** UIDs of two to four compared images; empty without a comparison. */
  readonly compare: readonly string[];
  /** UIDs of an earlier image and of the current one, shown over the rest of the location; null without. */
  readonly prior: PriorPair | null;
  /** ID of an earlier mount shown beside the open one; null without. */
  readonly priorMount: string | null;
  /** The open tooth history; null when it is closed. */
  readonly history: HistoryView | null;
}

export const minCompared = 2;
export const maxCompared = 4;

/** Parses `?compare=`: unique UIDs, at most four; fewer than two are no comparison. */
export const parseCompared = (text: string | null): readonly string[] => {
  const uids = [...new Set((text ?? '').split(',').filter((uid) => uid !== ''))].slice(0, maxCompared);
  return uids.length < minCompared ? [] : uids;
};

/** Parses `?prior=earlier,current`. */
export const parsePrior = (text: string | null): PriorPair | null => {
  const [priorUid = '', currentUid = ''] = (text ?? '').split(',');
  return priorUid && currentUid ? { priorUid, currentUid } : null;
};

/**
 * Returns `/patient/{patientID}/{series?}/{viewSetID?}` with `?image=` for an open image or `?compare=uid,uid`, `prior-mount=id` for a comparison with
 * an earlier mount, `prior=uid,uid` with an earlier image, and `history=` for an open tooth history.
 */
export const patientPath = (patientId: string, location: Partial<PatientLocation>): string => {
  const segments = ['/patient', patientId, location.series, location.series ? location.viewsetId : null];
  const path = segments.filter((segment) => segment).join('/');
  const compare = location.compare ?? [];
  const isComparing = compare.length >= minCompared;
  const parts = [
    isComparing ? `compare=${compare.join(',')}` : location.imageUid && `image=${location.imageUid}`,
    location.viewsetId && location.priorMount && `prior-mount=${location.priorMount}`,
    location.prior && `prior=${location.prior.priorUid},${location.prior.currentUid}`,
    formatHistory(location.history ?? null),
  ].filter(Boolean);
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path;
};

/** Returns the UIDs of the images that a location compares; empty without a comparison. */
export const comparedIn = ({ compare, prior }: PatientLocation): readonly string[] =>
  prior ? [prior.priorUid, prior.currentUid] : compare;

/** Returns whether two mounts are shown, and nothing over them. */
export const isMountComparison = ({ priorMount, viewsetId, imageUid, compare, prior }: PatientLocation): boolean =>
  priorMount !== null && viewsetId !== null && imageUid === null && compare.length === 0 && prior === null;

/** Returns the path of a viewset; it names the first series of its study. */
export const viewsetPath = (
  patientId: string,
  study: Study,
  viewsetId: string,
  history: HistoryView | null = null,
): string => patientPath(patientId, { series: study.series[0]?.uid ?? study.uid, viewsetId, history });

export const imagesOf = (study: Study): readonly ImageInfo[] =>
  study.series.flatMap((series) => series.images).toSorted((one, other) => one.order - other.order);

/** Returns the image that opens by itself: one that the list shows, else the first. */
const firstOf = (images: readonly ImageInfo[]): ImageInfo | undefined => {
  const shown = images.filter(({ grade }) => grade?.grade !== 'N');
  return [...shown, ...images].find(({ kind }) => kind === 'image') ?? shown[0] ?? images[0];
};

/** Returns the default location: the newest study's first mount with images, else its first mount, else its first image. */
export const firstLocation = (studies: readonly Study[]): Partial<PatientLocation> | null => {
  const study = studies[0];
  const viewset = study?.viewsets.find((candidate) => candidate.filledSlots > 0) ?? study?.viewsets[0];
  if (study && viewset) return { series: study.series[0]?.uid ?? study.uid, viewsetId: viewset.viewSetUuid };
  const image = study && firstOf(imagesOf(study));
  return image ? { series: image.seriesUid, imageUid: image.uid } : null;
};

/** Completes a location from the URL once the studies are loaded; given parts are not changed. */
export const resolveLocation = (asked: PatientLocation, studies: readonly Study[]): PatientLocation => {
  if (asked.viewsetId || asked.imageUid || asked.compare.length > 0 || asked.prior) return asked;
  if (!asked.series) return { ...asked, ...firstLocation(studies) };
  // Search results link to a study only.
  const study = studies.find(({ uid }) => uid === asked.series);
  if (study) return { ...asked, ...firstLocation([study]) };
  const series = studies.flatMap((study) => study.series).find(({ uid }) => uid === asked.series);
  const image = series && firstOf(series.images.toSorted((one, other) => one.order - other.order));
  return image ? { ...asked, imageUid: image.uid } : asked;
};

/** Returns the location after records were removed; unchanged when not affected. */
export const locationWithout = (location: PatientLocation, gone: Gone): PatientLocation => {
  if (location.viewsetId && gone.viewsetIds.includes(location.viewsetId))
    return { ...location, series: null, viewsetId: null, imageUid: null, compare: [], prior: null, priorMount: null };
  const compare = location.compare.filter((uid) => !gone.imageUids.includes(uid));
  const { prior, priorMount } = location;
  const isMountGone = priorMount !== null && gone.viewsetIds.includes(priorMount);
  const isPriorGone = prior !== null && [prior.priorUid, prior.currentUid].some((uid) => gone.imageUids.includes(uid));
  const isImageGone = location.imageUid !== null && gone.imageUids.includes(location.imageUid);
  const isSeriesGone = !location.viewsetId && location.series !== null && gone.seriesUids.includes(location.series);
  const isAnyGone = isImageGone || isSeriesGone || isPriorGone || isMountGone;
  if (!isAnyGone && compare.length === location.compare.length) return location;
  return {
    ...location,
    series: location.viewsetId ? location.series : null,
    imageUid: isImageGone || isSeriesGone ? null : location.imageUid,
    compare: compare.length < minCompared ? [] : compare,
    prior: isPriorGone || isSeriesGone ? null : prior,
    priorMount: isMountGone ? null : priorMount,
  };
};
