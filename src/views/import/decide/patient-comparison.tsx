import { useTranslation } from 'react-i18next';
import type { ImportStudy } from '../../../../contract/imports.ts';
import { ProtectedMark } from '../../language/protected-mark.tsx';
import { formatPersonName } from '../../ui/person-name.ts';
import { comparison, type Facet, type FileIdentity } from './identity.rules.ts';
import classes from './patient.module.css';

interface IdentityFactsProps {
  readonly name: string;
  readonly personalNumber: string | null;
  readonly birthDate: string | null;
  /** Attributes that differ from the other side. */
  readonly differing: readonly Facet[];
  readonly protectedIdentity?: boolean;
}

/** Shows name, personal number and birth date in fixed rows, so that two identities can be compared line by line. */
const IdentityFacts = ({
  name,
  personalNumber,
  birthDate,
  differing,
  protectedIdentity = false,
}: IdentityFactsProps) => {
  const { t } = useTranslation('import-decide');
  const markOf = (facet: Facet) => differing.includes(facet) || undefined;
  return (
    <div className={classes.facts}>
      <p className={classes.name} data-apart={markOf('name')}>
        {name}
        <ProtectedMark of={{ protectedIdentity }} />
      </p>
      <p data-apart={markOf('personalNumber')}>{personalNumber || t('noNumber')}</p>
      <p data-apart={markOf('birthDate')}>{birthDate ? t('born', { date: birthDate }) : t('noBirthDate')}</p>
    </div>
  );
};

interface PatientComparisonProps {
  readonly named: FileIdentity | null;
  /** All identities named by the files when they differ. */
  readonly identities: readonly { readonly named: FileIdentity; readonly files: number }[];
  readonly patient: ImportStudy['patient'];
}

/** Shows the identity in the files beside the chosen patient. */
export const PatientComparison = ({ named, identities, patient }: PatientComparisonProps) => {
  const { t } = useTranslation('import-decide');
  const namedText = (one: FileIdentity) => formatPersonName(one.name) ?? t('unnamedPatient');
  const { apart: differing } = comparison(named, patient);
  const renderFileSide = () => {
    if (identities.length > 1)
      return (
        <ul className={classes.identities}>
          {identities.map((one) => (
            <li key={`${one.named.name}/${one.named.patientId}/${one.named.birthDate}`}>
              <IdentityFacts
                name={`${namedText(one.named)} (${t('files', { count: one.files })})`}
                personalNumber={one.named.patientId}
                birthDate={one.named.birthDate}
                differing={comparison(one.named, patient).apart}
              />
            </li>
          ))}
        </ul>
      );
    if (!named) return <p className={classes.dimmed}>{t('noPatientInFiles')}</p>;
    return (
      <IdentityFacts
        name={namedText(named)}
        personalNumber={named.patientId}
        birthDate={named.birthDate}
        differing={differing}
      />
    );
  };
  return (
    <div className={classes.sides}>
      <div>
        <p className={classes.side}>{t('patientInFiles')}</p>
        {renderFileSide()}
      </div>
      <div>
        <p className={classes.side}>{t('goesTo')}</p>
        {patient ? (
          <IdentityFacts
            name={`${patient.firstName} ${patient.lastName}`}
            personalNumber={patient.personalNumber}
            birthDate={patient.birthDate}
            differing={differing}
            protectedIdentity={patient.protectedIdentity}
          />
        ) : (
          <p className={classes.dimmed}>{t('noPatientChosen')}</p>
        )}
      </div>
    </div>
  );
};
