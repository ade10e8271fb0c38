import { useTranslation } from 'react-i18next';
import type { Facet } from './named.rules.ts';
import classes from './patient.module.css';

interface PersonFactsProps {
  readonly name: string;
  readonly personalNumber: string | null;
  readonly birthDate: string | null;
  /** In what the other side differs. */
  readonly apart: readonly Facet[];
}

/** A person in three facts, each in its own place so that two of them can be compared line by line. */
export const PersonFacts = ({ name, personalNumber, birthDate, apart }: PersonFactsProps) => {
  const { t } = useTranslation('import-decide');
  const mark = (facet: Facet) => apart.includes(facet) || undefined;
  return (
    <div className={classes.facts}>
      <p className={classes.name} data-apart={mark('name')}>
        {name}
      </p>
      <p data-apart={mark('personalNumber')}>{personalNumber || t('noNumber')}</p>
      <p data-apart={mark('birthDate')}>{birthDate ? t('born', { date: birthDate }) : t('noBirthDate')}</p>
    </div>
  );
};
