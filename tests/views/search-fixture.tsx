import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import type { Patient } from '../../contract/patients.ts';
import type { DeletedContent, DeletedPatient, DeletedStudy } from '../../contract/recycle-bin.ts';
import type { FoundStudy } from '../../contract/studies.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { SearchPage } from '../../src/views/search/search-page.tsx';
import { anArchive, type Called } from './administration-fixture.tsx';
import { patient } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

export const clinic = { id: idOf(2), name: 'Ljungheden' };
export const anna = patient();
export const olle = {
  ...patient({ firstName: 'Olle', lastName: 'Berg', personalNumber: '197001019803' }),
  id: idOf(11),
};
export const deletion = {
  deletedAt: '2026-11-20T08:15:30.000Z',
  deletedBy: { id: idOf(80), name: 'Göran Åkerblom' },
  retainedUntil: '2036-11-20T08:15:30.000Z',
};
export const gone: DeletedPatient = { ...patient({ firstName: 'Eva', lastName: 'Sund' }), id: idOf(12), ...deletion };

export const aStudy: FoundStudy = {
  id: idOf(6),
  uid: '2.25.6',
  customerId: clinic.id,
  patientId: anna.id,
  description: 'Kontroll',
  patient: {
    firstName: 'Anna',
    lastName: 'Lind',
    birthDate: null,
    personalNumber: '198504232384',
    protectedIdentity: false,
  },
  studyDate: '2026-03-02',
  creationDate: '2026-03-02T10:00:00.000Z',
  accessionNumber: 'R-7',
  totalImages: 4,
  modalities: ['IO'],
};

export const goneStudy: DeletedStudy = { ...aStudy, id: idOf(16), images: 4, viewsets: 1, ...deletion };
/** A deleted image, series and mount of a study that is not deleted. */
export const goneContents: readonly DeletedContent[] = (['image', 'series', 'viewset'] as const).map((kind, index) => ({
  id: idOf(30 + index),
  kind,
  customerId: clinic.id,
  patientId: anna.id,
  patient: { firstName: 'Anna', lastName: 'Lind', personalNumber: '198504232384', protectedIdentity: false },
  studyId: aStudy.id,
  studyDate: aStudy.studyDate,
  studyDescription: aStudy.description,
  name: kind === 'viewset' ? 'Full mouth' : '',
  modality: kind === 'viewset' ? null : 'IO',
  number: kind === 'image' ? 4 : null,
  teeth: kind === 'image' ? [16, 17] : [],
  images: kind === 'image' ? 1 : 3,
  ...deletion,
}));
export const listed = <Row,>(data: readonly Row[]) => ({
  data,
  totalCount: data.length,
  isTotalExact: true,
  next: null,
});

export const openSearch = async (
  address: string,
  options: {
    readonly permission?: readonly string[];
    readonly answer?: (called: Called) => unknown;
    /** Patients with similar names. */
    readonly similar?: readonly Patient[];
  } = {},
) => {
  window.history.replaceState(null, '', address);
  const deletedIds = new Set([gone.id, goneStudy.id]);
  const sides = <Row extends { readonly id: string }>(rows: readonly Row[]) => ({
    listed: () => listed(rows.filter(({ id }) => !deletedIds.has(id))),
    deleted: () => listed(rows.filter(({ id }) => deletedIds.has(id)).map((row) => ({ ...row, ...deletion }))),
  });
  const restored = new Set<string>();
  const people = sides([anna, olle, gone]);
  const studies = sides([aStudy, goneStudy]);
  const archive = anArchive(async (called) => {
    const own = await options.answer?.(called);
    const { path } = called.route;
    const id = String(called.params.id);
    if (path.includes('/delete/')) deletedIds.add(id);
    if (path.includes('/restore/')) {
      deletedIds.delete(id);
      restored.add(id);
    }
    if (own !== undefined) return own;
    if (path === '/resource/patient/search/deleted') return people.deleted();
    if (path === '/resource/study/search/deleted') return studies.deleted();
    if (path === '/resource/content/search/deleted') return listed(goneContents.filter((row) => !restored.has(row.id)));
    return path === '/resource/study/search' ? studies.listed() : { id };
  });
  const patients = vi.fn((query: object) => ({
    queryKey: ['patients', query],
    queryFn: async () => ({ ...people.listed(), similar: options.similar ?? [] }),
  }));
  const session = await signedInAs('CustomerAdmin', {
    clinic,
    ...(options.permission && { permission: options.permission }),
  });
  await show(
    <AppQueriesProvider value={{ patients } as unknown as AppQueries}>
      <Notifications />
      <WithRecords call={archive.call}>
        <SearchPage
          session={session}
          clinicId={clinic.id}
          canAdd
          resumesNew={false}
          renderNew={() => <p>New here</p>}
          renderMerge={({ mainInfo }) => <p>Merge {mainInfo.firstName}</p>}
        />
      </WithRecords>
    </AppQueriesProvider>,
  );
  const callsOf = (method: string, path: string) =>
    archive.calls.filter(({ route }) => route.method === method && route.path === path);
  return { patients, callsOf, deletedIds };
};

export const rowNamed = (name: RegExp) => screen.findByRole('row', { name });
export const search = () => new URLSearchParams(window.location.search);

export const chooseOf = async (name: string, item: RegExp) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
};
