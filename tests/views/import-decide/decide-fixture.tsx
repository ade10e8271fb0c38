import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { vi } from 'vitest';
import type { ImportDecision, ImportFile, ImportStudy } from '../../../contract/imports.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { Template } from '../../../contract/viewsets.ts';
import { MoveStudyProvider, type StudyMove } from '../../../src/views/app/move-study.tsx';
import type { AppQueries } from '../../../src/views/app/queries-context.tsx';
import { DecideStudies } from '../../../src/views/import/decide/decide-studies.tsx';
import type { FoundPatient } from '../../../src/views/import/decide/identity.rules.ts';
import { anImportFile, anImportStudy } from '../../an-import.ts';
import { patient, showWith, template } from '../edit/edit-fixture.tsx';

export const clinicId = '00000000-0000-4000-8000-000000000009';
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const asa: FoundPatient = {
  id: idOf(1),
  firstName: 'Åsa',
  lastName: 'Lindström',
  personalNumber: '198504239802',
  birthDate: '1985-04-23',
  protectedIdentity: false,
};
export const erik: FoundPatient = {
  id: idOf(2),
  firstName: 'Erik',
  lastName: 'Berg',
  personalNumber: '197001019805',
  birthDate: '1970-01-01',
  protectedIdentity: false,
};
export const asPatient = ({ id, ...facts }: FoundPatient): Patient => ({ ...patient(facts), id });
export const namesAsa = { name: 'Lindström^Åsa', patientId: '19850423-9802', birthDate: '1985-04-23', sex: 'F' };
export const namesErik = { name: 'Berg^Erik', patientId: '19700101-9805', birthDate: '1970-01-01', sex: 'M' };

export const fileId = (number: number) => idOf(100 + number);
export const aFile = (number: number, facts: Partial<ImportFile> = {}): ImportFile =>
  anImportFile({ id: fileId(number), path: `IM${number}`, status: 'parsed', studyKey: '2.25.1', ...facts });

export const decided = (study: ImportStudy, decision: Partial<ImportDecision>): ImportStudy => ({
  ...study,
  decision: { ...study.decision, ...decision },
});
export const aStudy = (facts: Partial<ImportStudy> = {}, decision: Partial<ImportDecision> = {}) =>
  decided(anImportStudy({ description: 'Bitewing', ...facts }), decision);

/** Two rows of two slots: 1 2 above 3 4; the first for tooth 16, the second for 26. */
export const square: Template = {
  ...template(1, 'Square', true),
  width: 20,
  height: 16,
  viewSetItems: [0, 1, 2, 3].map((itemIndex) => ({
    itemIndex,
    order: itemIndex + 1,
    xPos: (itemIndex % 2) * 10,
    yPos: Math.floor(itemIndex / 2) * 8,
    width: 10,
    height: 8,
    rotation: 0,
    horizontalFlip: false,
    description: null,
    teeth: [[16], [26], [], []][itemIndex] ?? [],
  })),
};

const held = <T,>(key: string, reply: T) => ({ queryKey: [key], queryFn: async () => reply });

/** Fakes an API with the patients Åsa and Erik. */
export const readings = () => ({
  templates: () => held('templates', [square, template(2, 'Panorama')]),
  studies: () => held('studies', { data: [], totalCount: 0 }),
  patients: vi.fn<AppQueries['patients']>((query) => ({
    queryKey: ['patients', query],
    queryFn: async () => {
      const data = [asa, erik]
        .filter((one) => `${one.firstName} ${one.lastName} ${one.personalNumber}`.includes(query.q))
        .map(asPatient);
      return { data, similar: [], totalCount: data.length, isTotalExact: true, next: null };
    },
  })),
  createPatient: vi.fn<AppQueries['createPatient']>(async () => asPatient(erik)),
});

interface MountControllerOptions {
  readonly studies: readonly ImportStudy[];
  readonly files?: readonly ImportFile[];
  readonly queries?: Partial<AppQueries>;
  /** The server's reply to a decision; without it a decision stays pending. */
  readonly answer?: (study: ImportStudy, decision: Partial<ImportDecision>) => ImportStudy;
}

/** Renders the studies over an API whose replies the test controls. */
export const showStudies = async ({
  studies: first,
  files = [],
  queries = readings(),
  answer,
}: MountControllerOptions) => {
  const onDecide = vi.fn<(key: string, decision: Partial<ImportDecision>) => void>();
  let settle: (then: 'taken' | 'refused') => void = () => undefined;
  let replace: (studies: readonly ImportStudy[]) => void = () => undefined;
  const MountController = () => {
    const [studies, setStudies] = useState(first);
    const [sent, setSent] = useState<readonly { key: string; decision: Partial<ImportDecision> }[]>([]);
    const [refused, setRefused] = useState<string | null>(null);
    const made = (all: readonly ImportStudy[], { key, decision }: { key: string; decision: Partial<ImportDecision> }) =>
      all.map((study) => (study.key === key ? (answer ?? decided)(study, decision) : study));
    replace = setStudies;
    settle = (then) => {
      if (then === 'taken') setStudies(sent.reduce(made, studies));
      setRefused(then === 'refused' ? (sent[0]?.key ?? null) : null);
      setSent([]);
    };
    return (
      <DecideStudies
        studies={studies}
        files={files}
        deciding={new Set(sent.map(({ key }) => key))}
        failure={refused === null ? null : { key: refused, failure: { kind: 'refused', code: 'import-wrong-step' } }}
        clinicId={clinicId}
        patientId={null}
        onDecide={(key, decision) => {
          onDecide(key, decision);
          setRefused(null);
          if (answer) setStudies((all) => made(all, { key, decision }));
          else setSent((before) => [...before, { key, decision }]);
        }}
      />
    );
  };
  const onMove = vi.fn<(move: StudyMove) => void>();
  await showWith(
    queries,
    <MoveStudyProvider value={{ request: onMove, disabledReason: null }}>
      <MountController />
    </MoveStudyProvider>,
  );
  return {
    onDecide,
    onMove,
    settle: (then: 'taken' | 'refused') => settle(then),
    replace: (studies: readonly ImportStudy[]) => replace(studies),
  };
};

export const button = (name: string | RegExp) => screen.getByRole('button', { name });

export const press = (name: string | RegExp) => userEvent.click(button(name));

/** The server's match result for a study whose files name Erik. */
export const compared = (study: ImportStudy, decision: Partial<ImportDecision>): ImportStudy => {
  const next = decided(study, decision);
  const patient = [asa, erik].find(({ id }) => id === next.decision.patientId) ?? null;
  const match = !patient || !study.named ? 'unknown' : patient === erik ? 'same' : 'differs';
  const isBlocked = match === 'differs' && !next.decision.mismatchConfirmed;
  return {
    ...next,
    patient,
    match,
    obstacles: patient ? (isBlocked ? ['mismatch-not-confirmed'] : []) : ['patient-missing'],
  };
};

export const ofErik = (decision: Partial<ImportDecision> = {}, facts: Partial<ImportStudy> = {}) =>
  compared(aStudy({ named: namesErik, ...facts }), decision);
