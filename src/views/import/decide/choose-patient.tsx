import { Button } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportStudy } from '../../../../contract/imports.ts';
import { useDrafts } from '../../kept-drafts.ts';
import { FindPatient } from './find-patient.tsx';
import { MakePatient, makePatientDraft } from './make-patient.tsx';
import classes from './patient.module.css';
import { PatientChoice } from './patient-choice.tsx';

interface ChoosePatientProps {
  /** Under which the words about a new patient are kept. */
  readonly draftId: string;
  readonly study: ImportStudy;
  readonly clinicId: string;
  /** The one that is chosen, or is on its way to be. */
  readonly chosen: string | null;
  readonly busy: boolean;
  readonly onChoose: (patientId: string) => void;
  /** Leaves it at who was chosen; null when nobody is. */
  readonly onCancel: (() => void) | null;
}

/** Whose images these are: whom the files may show, anybody else of the clinic, or somebody new. */
export const ChoosePatient = ({ draftId, study, clinicId, chosen, busy, onChoose, onCancel }: ChoosePatientProps) => {
  const { t } = useTranslation(['import-decide', 'shell']);
  const drafts = useDrafts();
  // A new patient of whom something is written already is gone on with.
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
