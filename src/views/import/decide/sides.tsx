import { useTranslation } from 'react-i18next';
import type { ImportStudy } from '../../../../contract/imports.ts';
import { personName } from '../../parts/person-name.ts';
import { comparison, type Named } from './named.rules.ts';
import classes from './patient.module.css';
import { PersonFacts } from './person-facts.tsx';

interface SidesProps {
  readonly named: Named | null;
  /** Everybody whom the files name, when it is more than one. */
  readonly people: readonly { readonly named: Named; readonly files: number }[];
  readonly patient: ImportStudy['patient'];
}

/** Whom the files name beside whom the images go to. */
export const Sides = ({ named, people, patient }: SidesProps) => {
  const { t } = useTranslation('import-decide');
  const namedText = (one: Named) => personName(one.name) ?? t('nameless');
  const { apart } = comparison(named, patient);
  const said = () => {
    if (people.length > 1)
      return (
        <ul className={classes.people}>
          {people.map((one) => (
            <li key={`${one.named.name}/${one.named.patientId}/${one.named.birthDate}`}>
              <PersonFacts
                name={`${namedText(one.named)} (${t('files', { count: one.files })})`}
                personalNumber={one.named.patientId}
                birthDate={one.named.birthDate}
                apart={comparison(one.named, patient).apart}
              />
            </li>
          ))}
        </ul>
      );
    if (!named) return <p className={classes.quiet}>{t('nobodyNamed')}</p>;
    return (
      <PersonFacts name={namedText(named)} personalNumber={named.patientId} birthDate={named.birthDate} apart={apart} />
    );
  };
  return (
    <div className={classes.sides}>
      <div>
        <p className={classes.side}>{t('filesSay')}</p>
        {said()}
      </div>
      <div>
        <p className={classes.side}>{t('goesTo')}</p>
        {patient ? (
          <PersonFacts
            name={`${patient.firstName} ${patient.lastName}`}
            personalNumber={patient.personalNumber}
            birthDate={patient.birthDate}
            apart={apart}
          />
        ) : (
          <p className={classes.quiet}>{t('nobodyChosen')}</p>
        )}
      </div>
    </div>
  );
};
