import { Checkbox } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundStudy } from '../../../contract/dicom-fetches.ts';
import type { Patient } from '../../../contract/patients.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { formatPersonName } from '../ui/person-name.ts';
import classes from './fetching.module.css';

export interface Choice {
  readonly isChosen: boolean;
  readonly isSamePatient: boolean;
}

interface FoundStudyProps {
  readonly study: FoundStudy;
  readonly patient: Patient;
  readonly device: string;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}

/** Compares the patient of the other archive with the patient here, value by value. */
const Comparison = ({ study, patient, device }: Pick<FoundStudyProps, 'study' | 'patient' | 'device'>) => {
  const { t } = useTranslation('fetching');
  const { patient: foreign, differences } = study;
  const { firstName, lastName, personalNumber, birthDate } = patient.mainInfo;
  const rows = [
    ['name', formatPersonName(foreign.name), `${firstName} ${lastName}`],
    ['number', foreign.patientId, personalNumber],
    ['birthDate', foreign.birthDate, birthDate],
  ] as const;
  return (
    <table className={classes.comparison}>
      <thead>
        <tr>
          <td />
          <th scope="col">{device}</th>
          <th scope="col">{t('here')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([field, there, here]) => (
          <tr key={field} data-differs={differences.includes(field) || undefined}>
            <th scope="row">{t(field)}</th>
            <td>{there ?? t('missing')}</td>
            <td>{here || t('missing')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** A study of another archive that can be chosen; the patient must be confirmed where it is not certain. */
export const FoundStudyRow = ({ study, patient, device, choice, onChoice }: FoundStudyProps) => {
  const { t } = useTranslation('fetching');
  const modalityName = useModalityName();
  const id = useId();
  const { description, studyDate, modalities, images, imagesHere, isOfAnotherPatient, differences } = study;
  const facts = [
    modalities.map(modalityName).join(', '),
    images === null ? '' : t('images', { count: images }),
    imagesHere === null ? '' : t('imagesHere', { count: imagesHere }),
  ].filter(Boolean);
  const { needsConfirmation } = study;
  const fields = differences.map((field) => t(field).toLowerCase()).join(', ');
  return (
    <li className={classes.study}>
      <Checkbox
        label={`${studyDate ?? t('withoutDate')} ${description || t('withoutDescription')}`}
        description={facts.join(' · ')}
        checked={choice.isChosen}
        disabled={isOfAnotherPatient}
        aria-describedby={id}
        onChange={(event) => onChoice({ ...choice, isChosen: event.currentTarget.checked })}
      />
      <div id={id} className={classes.patient}>
        {isOfAnotherPatient && <IconAlert tone="caution">{t('ofAnotherPatient')}</IconAlert>}
        {needsConfirmation && (
          <>
            <IconAlert tone="caution">
              {fields ? t('differs', { device, fields }) : t('unproven', { device })}
            </IconAlert>
            <Comparison study={study} patient={patient} device={device} />
          </>
        )}
      </div>
      {needsConfirmation && choice.isChosen && (
        <Checkbox
          className={classes.confirmation}
          label={t('samePatient')}
          checked={choice.isSamePatient}
          onChange={(event) => onChoice({ ...choice, isSamePatient: event.currentTarget.checked })}
        />
      )}
    </li>
  );
};
