import { expect } from 'vitest';
import type { PatientClient } from './client.ts';

/** What one user has done and seen acknowledged. No other user changes these patients, so the state must match exactly. */
export interface TestUser {
  readonly number: number;
  readonly client: PatientClient;
  readonly below: (end: number) => number;
  readonly pick: <T>(values: readonly T[]) => T | undefined;
  /** Patients without studies, for merges. */
  readonly spare: string[];
  /** The patient who owns everything now. */
  patientId: string;
  /** Image id -> acknowledged state. */
  readonly images: Map<string, { readonly sha256: string; readonly studyUid: string }>;
  readonly deletedImages: Set<string>;
  /** Study Instance UIDs. */
  readonly deletedStudies: Set<string>;
  /** Viewset id -> mounted images by slot. */
  readonly viewsets: Map<string, readonly (string | null)[]>;
  /** Acknowledged uploads: file row -> SHA-256. */
  readonly files: Map<string, string>;
  readonly taskIds: string[];
}

export interface SeenViewset {
  readonly viewSetUuid: string;
  readonly version: number;
  readonly viewSetItems: readonly { readonly activeImage: { readonly uid: string } | null }[];
}

export interface SeenStudy {
  readonly id: string;
  readonly uid: string;
  readonly series: readonly { readonly images: readonly { readonly uid: string }[] }[];
  readonly viewsets: readonly { readonly viewSetUuid: string; readonly name: string }[];
}

const get = async (user: TestUser, target: string) => {
  const { status, body } = await user.client.call(target);
  expect([target, status, body?.code]).toEqual([target, 200, undefined]);
  return body;
};

export const studiesOf = async (user: TestUser, patientId = user.patientId): Promise<readonly SeenStudy[]> => {
  const studies: SeenStudy[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await get(user, `/resource/study/bypatient/${patientId}?page=${page}&ppage=100`);
    studies.push(...data);
    if (data.length === 0 || studies.length >= total) return studies;
  }
};

export const viewsetOf = (user: TestUser, id: string): Promise<SeenViewset> => get(user, `/resource/viewset/${id}`);

export const slotsOf = ({ viewSetItems }: SeenViewset): readonly (string | null)[] =>
  viewSetItems.map(({ activeImage }) => activeImage?.uid ?? null);

export const livingImages = ({ images, deletedImages, deletedStudies }: TestUser): string[] =>
  [...images].filter(([id, { studyUid }]) => !deletedImages.has(id) && !deletedStudies.has(studyUid)).map(([id]) => id);

/** Checks everything of the patient: all acknowledged data is present once, and nothing else. */
export const expectAllThere = async (user: TestUser): Promise<void> => {
  const studies = await studiesOf(user);
  const seen = studies.flatMap(({ series }) => series.flatMap(({ images }) => images.map(({ uid }) => uid)));
  expect(seen.toSorted(), 'images that were acknowledged, each once').toEqual(livingImages(user).toSorted());
  for (const { viewSetUuid } of studies.flatMap(({ viewsets }) => viewsets)) {
    const now = slotsOf(await viewsetOf(user, viewSetUuid));
    const mounted = now.filter((image) => image !== null);
    expect(new Set(mounted).size, 'each image is mounted once').toBe(mounted.length);
    expect(now, 'the mounted images of a viewset').toEqual(user.viewsets.get(viewSetUuid));
  }
};
