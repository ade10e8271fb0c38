import { Button } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportStudy } from '../../../../contract/imports.ts';
import { type DraftSubject, draftKey, useDrafts } from '../../app/drafts-context.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { type PatientFields, PatientForm } from '../../forms/patient-form.tsx';
import { FindPatient, fetchFoundPatient, PatientChoice } from './find-patient.tsx';
import { type FileIdentity, type FoundPatient, fieldsFrom } from './identity.rules.ts';
import classes from './patient.module.css';

const what: DraftSubject = { kind: 'import-patient', name: '' };

/** Key of the draft of a new patient for this study. */
export const makePatientDraft = (draftId: string) => ({ key: draftKey(what, draftId), what });

interface MakePatientProps {
  readonly draftId: string;
  readonly clinicId: string;
  readonly named: FileIdentity | null;
  readonly busy: boolean;
  readonly onChoose: (patientId: string) => void;
  readonly onCancel: () => void;
}

const isTheSameNumber = (one: string, other: string) => {
  const key = (number: string) =>
    number
      .replace(/[^\p{L}\p{N}]+/gu, '')
      .toUpperCase()
      .slice(-10);
  return key(one) === key(other);
};

/** Creates a patient from the identity in the files and chooses it. If the number is taken, its patient can be chosen instead. */
const MakePatient = ({ draftId, clinicId, named, busy, onChoose, onCancel }: MakePatientProps) => {
  const { t } = useTranslation(['import-decide', 'new-patient']);
  const queries = useAppQueries();
  const client = useQueryClient();
  const drafts = useDrafts();
  const draft = makePatientDraft(draftId);
  const [holder, setHolder] = useState<FoundPatient | null>(null);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);

  const findHolder = async (personalNumber: string) => {
    const query = queries.patients({ customerId: clinicId, q: personalNumber, page: 1, ppage: 5 });
    const { data } = await client.fetchQuery({ ...query, staleTime: 0 });
    const holding = data.find(({ mainInfo }) => isTheSameNumber(mainInfo.personalNumber, personalNumber));
    setHolder(holding ? fetchFoundPatient(holding) : null);
  };
  const make = async (fields: PatientFields) => {
    setHolder(null);
    try {
      const { id } = await queries.createPatient({ customerId: clinicId, ...fields });
      drafts.drop(draft.key);
      onChoose(id);
    } catch (error) {
      if (failureOfQuery(error).code === 'personal-number-taken')
        await findHolder(fields.personalNumber).catch(() => undefined);
      throw error;
    }
  };
  return (
    <section ref={box} className={classes.make} aria-label={t('new-patient:title')}>
      <p className={classes.side}>{t('new-patient:title')}</p>
      <PatientForm
        canUnprotect
        known={fieldsFrom(named)}
        submit={t('makeAndChoose')}
        onSubmit={make}
        onDirty={() => undefined}
        onCancel={() => {
          drafts.drop(draft.key);
          onCancel();
        }}
        onLoadLatest={null}
        draft={draft}
      />
      <div aria-live="polite">
        {holder && (
          <>
            <p className={classes.dimmed}>{t('samePersonalNumber')}</p>
            <ul className={classes.choices}>
              <PatientChoice
                patient={holder}
                named={named}
                match={null}
                chosen={false}
                busy={busy}
                onChoose={() => onChoose(holder.id)}
              />
            </ul>
          </>
        )}
      </div>
    </section>
  );
};

interface ChoosePatientProps {
  /** Key of the draft of a new patient. */
  readonly draftId: string;
  readonly study: ImportStudy;
  readonly clinicId: string;
  /** The chosen patient, or the one being sent. */
  readonly chosen: string | null;
  readonly busy: boolean;
  readonly onChoose: (patientId: string) => void;
  /** Keeps the chosen patient; null when none is chosen. */
  readonly onCancel: (() => void) | null;
}

/** Chooses the patient of a study: a suggestion from the files, any patient of the clinic, or a new one. */
export const ChoosePatient = ({ draftId, study, clinicId, chosen, busy, onChoose, onCancel }: ChoosePatientProps) => {
  const { t } = useTranslation(['import-decide', 'shell']);
  const drafts = useDrafts();
  // Opens with the form when a draft of a new patient exists.
  const [making, setMaking] = useState(() => drafts.find(makePatientDraft(draftId).key) !== null);
  const { candidates, named, inArchive } = study;
  const owner = inArchive && !candidates.some(({ patient }) => patient.id === inArchive.patient.id) ? inArchive : null;
  const choice = { named, busy };
  if (making)
    return (
      <MakePatient
        draftId={draftId}
        clinicId={clinicId}
        named={named}
        busy={busy}
        onChoose={onChoose}
        onCancel={() => setMaking(false)}
      />
    );
  return (
    <div className={classes.chooser}>
      {(candidates.length > 0 || owner) && (
        <ul className={classes.choices} aria-label={t('candidates')}>
          {owner && (
            <PatientChoice
              {...choice}
              patient={owner.patient}
              match={null}
              chosen={owner.patient.id === chosen}
              onChoose={() => onChoose(owner.patient.id)}
            />
          )}
          {candidates.map(({ patient, match }) => (
            <PatientChoice
              {...choice}
              key={patient.id}
              patient={patient}
              match={match}
              chosen={patient.id === chosen}
              onChoose={() => onChoose(patient.id)}
            />
          ))}
        </ul>
      )}
      <FindPatient {...choice} clinicId={clinicId} chosen={chosen} onChoose={onChoose} />
      <div className={classes.ways}>
        <Button variant="default" leftSection={<IconUserPlus />} onClick={() => setMaking(true)}>
          {t('makePatient')}
        </Button>
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            {t('keepChosen')}
          </Button>
        )}
      </div>
    </div>
  );
};
