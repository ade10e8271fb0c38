import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import type { Gone } from '../../app/edit-requests.ts';
import { formatHistory, type HistoryView } from '../tooth-history/history-url.ts';

/** Location within a patient's page, stored in the URL. */
export interface PatientLocation {
  readonly series: string | null;
  readonly viewsetId: string | null;
  readonly imageUid: string | null;
  /** UIDs of two to four compared images; empty without a comparison. */
  readonly compare: readonly string[];
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

/**
 * Returns `/patient/{patientID}/{series?}/{viewSetID?}` with `?image=` for an open image or `?compare=uid,uid`, and `history=` for an
 * open tooth history.
 */
export const patientPath = (patientId: string, location: Partial<PatientLocation>): string => {
  const segments = ['/patient', patientId, location.series, location.series ? location.viewsetId : null];
  const { compare = [], imageUid, history = null } = location;
  const content = compare.length >= minCompared ? `compare=${compare.join(',')}` : imageUid && `image=${imageUid}`;
  const query = [content, formatHistory(history)].filter(Boolean).join('&');
  const path = segments.filter(Boolean).join('/');
  return query === '' ? path : `${path}?${query}`;
};

/** Returns the path of a viewset; it names the first series of its study. */
export const viewsetPath = (
  patientId: string,
  study: Study,
  viewsetId: string,
  history: HistoryView | null = null,
): string => patientPath(patientId, { series: study.series[0]?.uid ?? study.uid, viewsetId, history });

export const imagesOf = (study: Study): readonly ImageInfo[] =>
  study.series.flatMap((series) => series.images).toSorted((one, other) => one.order - other.order);

/** Returns the default location: the newest study's first mount with images, else its first mount, else its first image. */
export const firstLocation = (studies: readonly Study[]): Partial<PatientLocation> | null => {
  const study = studies[0];
  const viewset = study?.viewsets.find((candidate) => candidate.filledSlots > 0) ?? study?.viewsets[0];
  if (study && viewset) return { series: study.series[0]?.uid ?? study.uid, viewsetId: viewset.viewSetUuid };
  const image = study && (imagesOf(study).find((candidate) => candidate.kind === 'image') ?? imagesOf(study)[0]);
  return image ? { series: image.seriesUid, imageUid: image.uid } : null;
};

/** Completes a location from the URL once the studies are loaded; given parts are not changed. */
export const resolveLocation = (asked: PatientLocation, studies: readonly Study[]): PatientLocation => {
  if (asked.viewsetId || asked.imageUid || asked.compare.length > 0) return asked;
  if (!asked.series) return { ...asked, ...firstLocation(studies) };
  // Search results link to a study only.
  const study = studies.find(({ uid }) => uid === asked.series);
  if (study) return { ...asked, ...firstLocation([study]) };
  const series = studies.flatMap((study) => study.series).find(({ uid }) => uid === asked.series);
  const image = series?.images.toSorted((one, other) => one.order - other.order)[0];
  return image ? { ...asked, imageUid: image.uid } : asked;
};

/** Returns the location after records were removed; unchanged when not affected. */
export const locationWithout = (location: PatientLocation, gone: Gone): PatientLocation => {
  if (location.viewsetId && gone.viewsetIds.includes(location.viewsetId))
    return { ...location, series: null, viewsetId: null, imageUid: null, compare: [] };
  const compare = location.compare.filter((uid) => !gone.imageUids.includes(uid));
  const isImageGone = location.imageUid !== null && gone.imageUids.includes(location.imageUid);
  const isSeriesGone = !location.viewsetId && location.series !== null && gone.seriesUids.includes(location.series);
  if (!isImageGone && !isSeriesGone && compare.length === location.compare.length) return location;
  return {
    ...location,
    series: location.viewsetId ? location.series : null,
    imageUid: isImageGone || isSeriesGone ? null : location.imageUid,
    compare: compare.length < minCompared ? [] : compare,
  };
};
