import { Loader, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { comparison, type FoundPatient, type Named } from './named.rules.ts';
import classes from './patient.module.css';

interface PatientChoiceProps {
  readonly patient: FoundPatient;
  readonly named: Named | null;
  /** What is known of how they match; null: nothing. */
  readonly match: 'same' | 'possible' | null;
  readonly chosen: boolean;
  readonly busy: boolean;
  readonly onChoose: () => void;
}

/** A patient of the clinic to choose, with the reasons for it. */
export const PatientChoice = ({ patient, named, match, chosen, busy, onChoose }: PatientChoiceProps) => {
  const { t } = useTranslation('import-decide');
  const { alike, apart } = comparison(named, patient);
  return (
    <li>
      <UnstyledButton
        className={classes.choice}
        data-match={match ?? undefined}
        aria-pressed={chosen}
        disabled={busy}
        onClick={onChoose}
      >
        <span className={classes.name}>
          {patient.lastName}, {patient.firstName}
        </span>
        <span className={classes.digits}>
          {[patient.personalNumber, patient.birthDate].filter(Boolean).join(' · ')}
        </span>
        <span className={classes.reasons}>
          {alike.map((facet) => (
            <span key={facet} data-tone="good">
              {t(`alike-${facet}`)}
            </span>
          ))}
          {apart.map((facet) => (
            <span key={facet} data-tone="bad">
              {t(`apart-${facet}`)}
            </span>
          ))}
        </span>
        {busy && chosen && <Loader size={16} type="oval" aria-label={t('comparing')} />}
      </UnstyledButton>
    </li>
  );
};
