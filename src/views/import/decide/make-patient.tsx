import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PatientFields, PatientForm } from '../../forms/patient-form.tsx';
import { type DraftMatter, draftKey, useDrafts } from '../../kept-drafts.ts';
import { failureOfQuery, useReading } from '../../reading.tsx';
import { foundPatient } from './find-patient.tsx';
import { type FoundPatient, fieldsFrom, type Named } from './named.rules.ts';
import classes from './patient.module.css';
import { PatientChoice } from './patient-choice.tsx';

const what: DraftMatter = { kind: 'import-patient', name: '' };

/** Where the words about a new patient for this study are kept. */
export const makePatientDraft = (draftId: string) => ({ key: draftKey(what, draftId), what });

interface MakePatientProps {
  readonly draftId: string;
  readonly clinicId: string;
  readonly named: Named | null;
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

/** A new patient with what the files say filled in; chosen as soon as they are there. Whoever has the number already can be chosen instead. */
export const MakePatient = ({ draftId, clinicId, named, busy, onChoose, onCancel }: MakePatientProps) => {
  const { t } = useTranslation(['import-decide', 'new-patient']);
  const reading = useReading();
  const client = useQueryClient();
  const drafts = useDrafts();
  const draft = makePatientDraft(draftId);
  const [holder, setHolder] = useState<FoundPatient | null>(null);
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);

  const findHolder = async (personalNumber: string) => {
    const query = reading.patients({ customerId: clinicId, q: personalNumber, page: 1, ppage: 5 });
    const { data } = await client.fetchQuery({ ...query, staleTime: 0 });
    const holding = data.find(({ mainInfo }) => isTheSameNumber(mainInfo.personalNumber, personalNumber));
    setHolder(holding ? foundPatient(holding) : null);
  };
  const make = async (fields: PatientFields) => {
    setHolder(null);
    try {
      const { id } = await reading.createPatient({ customerId: clinicId, ...fields });
      drafts.drop(draft.key);
      onChoose(id);
    } catch (error) {
      if (failureOfQuery(error).code === 'personal-number-taken')
        await findHolder(fields.personalNumber).catch(() => undefined);
      throw error;
    }
  };
  return (
    <section ref={place} className={classes.make} aria-label={t('new-patient:title')}>
      <p className={classes.side}>{t('new-patient:title')}</p>
      <PatientForm
        known={fieldsFrom(named)}
        submit={t('makeAndChoose')}
        onSubmit={make}
        onDirty={() => undefined}
        onCancel={() => {
          drafts.drop(draft.key);
          onCancel();
        }}
        onLoadTheirs={null}
        draft={draft}
      />
      <div aria-live="polite">
        {holder && (
          <>
            <p className={classes.quiet}>{t('holds')}</p>
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
