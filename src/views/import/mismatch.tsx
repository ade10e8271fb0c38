import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../parts/icon-alert.tsx';
import { personName } from '../parts/person-name.ts';
import classes from './import.module.css';

/** Somebody as named by a file, and how many files name them so. */
export interface NamedInFiles {
  readonly name: string | null;
  readonly personalNumber: string | null;
  readonly birthDate: string | null;
  readonly files: number;
}

export interface ChosenPatient {
  readonly name: string;
  readonly personalNumber: string | null;
  readonly birthDate: string | null;
}

interface MismatchProps {
  readonly chosen: ChosenPatient;
  readonly named: readonly NamedInFiles[];
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

const Facts = ({ parts }: { parts: readonly (string | null)[] }) => (
  <p className={classes.facts}>{parts.flatMap((part) => (part ? [<span key={part}>{part}</span>] : []))}</p>
);

/** The files name somebody else: both names side by side, and a person decides. */
export const Mismatch = ({ chosen, named, onConfirm, onCancel }: MismatchProps) => {
  const { t } = useTranslation('import');
  return (
    <div className={classes.mismatch} role="alertdialog" aria-label={t('mismatchTitle')}>
      <IconAlert tone="caution">
        <b>{t('mismatchTitle')}</b> {t('mismatchText')}
      </IconAlert>
      <div className={classes.sides}>
        <div>
          <p className={classes.side}>{t('chosenPatient')}</p>
          <p className={classes.person}>{chosen.name}</p>
          <Facts parts={[chosen.personalNumber, chosen.birthDate]} />
        </div>
        <div>
          <p className={classes.side}>
            {t('namedInFile')}
            {named.length > 1 && <b> · {t('people', { count: named.length })}</b>}
          </p>
          <ul className={classes.persons}>
            {named.map((person) => (
              <li key={`${person.name}/${person.personalNumber}/${person.birthDate}`}>
                <p className={classes.person}>{personName(person.name) ?? t('nameless')}</p>
                <Facts parts={[person.personalNumber, person.birthDate, t('filesCount', { count: person.files })]} />
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button color="orange" variant="outline" onClick={onConfirm}>
          {t('confirmMismatch', { name: chosen.name })}
        </Button>
      </div>
    </div>
  );
};
