import type { Patient } from '../../../contract/patients.ts';
import { AgeText } from '../language/age-text.tsx';
import { today } from '../parts/age.ts';
import classes from './merge.module.css';

interface PatientFactsProps {
  /** "From" or "To". */
  readonly role: string;
  readonly patient: Patient | null;
  /** Said while nobody is chosen. */
  readonly nobody: string;
}

/** One side of a merge, by what tells people apart. */
export const PatientFacts = ({ role, patient, nobody }: PatientFactsProps) => (
  <section className={classes.side} aria-label={role}>
    <h3 className={classes.role}>{role}</h3>
    {patient ? (
      <>
        <p className={classes.name}>
          {patient.mainInfo.firstName} {patient.mainInfo.lastName}
        </p>
        <p className={classes.fact}>{patient.mainInfo.personalNumber}</p>
        {patient.mainInfo.birthDate && (
          <p className={classes.fact}>
            {patient.mainInfo.birthDate}, <AgeText birthDate={patient.mainInfo.birthDate} day={today()} />
          </p>
        )}
      </>
    ) : (
      <p className={classes.fact}>{nobody}</p>
    )}
  </section>
);
