import { QueryClient } from '@tanstack/query-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { templateFavorite } from '../../contract/viewsets.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { queryRoots } from '../../src/services/query-roots.ts';
import { createWrites } from '../../src/services/writes.ts';

const [id, patientId, other] = ['p1', 'p1', 'p2'];
const queryKeys = [
  [queryRoots.patients, { q: '' }],
  [queryRoots.patient, patientId],
  [queryRoots.patient, other],
  [queryRoots.studies, patientId, { page: 1 }],
  [queryRoots.studies, other, { page: 1 }],
  [queryRoots.viewset, 'v1'],
  [queryRoots.changes, 'image', 'i1'],
  [queryRoots.templates, 'c1'],
];

let client: QueryClient;
const calls: unknown[] = [];

/** An archive that gives every call the same reply, or rejects it. */
const writesWith = (reply: () => unknown) => {
  const call = async (route: { method: string; path: string }, options: unknown) => {
    calls.push([route.method, route.path, options]);
    return reply();
  };
  return createWrites(call as unknown as Call, client, async () => new Blob());
};
const old = () =>
  queryKeys.filter((queryKey) => client.getQueryState(queryKey)?.isInvalidated).map((key) => key.slice(0, 2).join('/'));

beforeEach(() => {
  client = new QueryClient();
  calls.length = 0;
  for (const queryKey of queryKeys) client.setQueryData(queryKey, []);
});

describe('a write', () => {
  it('of a patient is shown at once, and invalidates the lists of patients', async () => {
    const edited = { id, version: 2 };
    await writesWith(() => edited).updatePatient({} as never);
    expect(client.getQueryData([queryRoots.patient, id])).toEqual(edited);
    expect(old()).toEqual(['patients/[object Object]']);
  });

  it.each(['study', 'series', 'image', 'viewset'] as const)(
    'that deletes or restores (%s) invalidates the queries of this patient, and of no other',
    async (what) => {
      const writes = writesWith(() => ({ id: 'r1' }));
      await writes.deleteRecord({ what, id: 'r1', patientId });
      expect(old()).toEqual(['patients/[object Object]', 'patient/p1', 'studies/p1', 'viewset/v1', 'changes/image']);
      await writes.restoreRecord({ what, id: 'r1', patientId });
      expect(calls).toEqual([
        ['DELETE', `/resource/${what}/delete/:id`, { params: { id: 'r1' } }],
        ['PUT', `/resource/${what}/restore/:id`, { params: { id: 'r1' } }],
      ]);
    },
  );

  it('of an image or a study is shown at once, so that it can be edited again before the lists are fetched', async () => {
    const before = { uid: 'i1', version: 1 };
    const [study, neighbour] = [
      { id: 's1', patientId, version: 1, series: [{ id: 'r1', images: [before, { uid: 'i2', version: 1 }] }] },
      { id: 's2', patientId, version: 1, series: [] },
    ];
    const studies = [queryRoots.studies, patientId, { page: 1 }];
    const viewset = [queryRoots.viewset, 'v1'];
    client.setQueryData(studies, { page: 1, data: [study, neighbour] });
    client.setQueryData(viewset, {
      viewSetItems: [
        { itemIndex: 0, activeImage: before },
        { itemIndex: 1, activeImage: null },
      ],
      detachedImages: [before],
    });
    const edited = { uid: 'i1', version: 2 };
    await writesWith(() => edited).updateImage({} as never, patientId);
    expect(client.getQueryData(studies)).toMatchObject({
      page: 1,
      data: [{ series: [{ images: [edited, { uid: 'i2', version: 1 }] }] }, neighbour],
    });
    expect(client.getQueryData(viewset)).toEqual({
      viewSetItems: [
        { itemIndex: 0, activeImage: edited },
        { itemIndex: 1, activeImage: null },
      ],
      detachedImages: [edited],
    });
    const renamed = { ...study, version: 2 };
    await writesWith(() => renamed).updateStudy({} as never);
    expect(client.getQueryData(studies)).toMatchObject({ data: [renamed, neighbour] });
    expect(client.getQueryState(studies)?.isInvalidated).toBe(true);
  });

  it('that is rejected invalidates nothing', async () => {
    const writes = writesWith(() => {
      throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
    });
    await expect(writes.updateStudy({} as never)).rejects.toThrow('conflict');
    await expect(writes.deleteRecord({ what: 'image', id, patientId })).rejects.toThrow('conflict');
    expect(old()).toEqual([]);
  });
});

describe('a saved grade', () => {
  it('is the newest version at once, and the gallery, which may leave the image out, is fetched again', async () => {
    const [key, gallery] = [
      [queryRoots.grade, 'i1'],
      [queryRoots.gallery, { page: 1 }],
    ];
    client.setQueryData(key, { versions: [{ version: 1 }] });
    client.setQueryData(gallery, []);
    const body = { id: 'i1', version: 1, grade: 'A' } as const;
    await writesWith(() => ({ version: 2 })).saveGrade(body, patientId);
    expect(client.getQueryData(key)).toEqual({ versions: [{ version: 2 }, { version: 1 }] });
    expect(client.getQueryState(gallery)?.isInvalidated).toBe(true);
    expect(old()).toContain('studies/p1');
  });
});

describe('a saved note', () => {
  const key = [queryRoots.note, 'image', 'i1'];
  const body = { subject: 'image', id: 'i1', version: 1, state: 'signed', text: 'Text' } as never;
  const versions = () => client.getQueryData<{ versions: { version: number }[] }>(key)?.versions;

  it('is the newest version at once, and invalidates the queries that tell its state', async () => {
    client.setQueryData(key, { versions: [{ version: 1 }] });
    await writesWith(() => ({ version: 2 })).saveNote(body, patientId);
    expect(versions()).toEqual([{ version: 2 }, { version: 1 }]);
    expect(old()).toEqual(['patients/[object Object]', 'patient/p1', 'studies/p1', 'viewset/v1', 'changes/image']);
    expect(client.getQueryState(key)?.isInvalidated).toBe(false);
  });

  it('that conflicts with the version of another user is fetched again', async () => {
    client.setQueryData(key, { versions: [{ version: 1 }] });
    const writes = writesWith(() => {
      throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
    });
    await expect(writes.saveNote(body, patientId)).rejects.toThrow('conflict');
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
    expect(old()).toContain('viewset/v1');
    expect(versions()).toEqual([{ version: 1 }]);
  });
});

describe('a star', () => {
  const templates = [queryRoots.templates, 'c1'];
  const stars = () => client.getQueryData<{ isFavorite: boolean }[]>(templates)?.map(({ isFavorite }) => isFavorite);
  beforeEach(() => {
    client.setQueryData(templates, [
      { uuid: 't1', isFavorite: false },
      { uuid: 't2', isFavorite: false },
    ]);
  });

  it('is set during the call, without the list being sorted again', async () => {
    let shownMeanwhile: unknown;
    await writesWith(() => {
      shownMeanwhile = stars();
    }).favorTemplate({ uuid: 't2', isFavorite: true });
    expect(shownMeanwhile).toEqual([false, true]);
    expect(calls).toEqual([
      [templateFavorite.method, templateFavorite.path, { body: { uuid: 't2', isFavorite: true } }],
    ]);
    expect(client.getQueryState(templates)?.isInvalidated).toBe(false);
  });

  it('is undone when the archive rejects the call', async () => {
    const writes = writesWith(() => {
      throw new ServiceError({ kind: 'offline' });
    });
    await expect(writes.favorTemplate({ uuid: 't2', isFavorite: true })).rejects.toThrow('offline');
    expect(stars()).toEqual([false, false]);
  });
});
