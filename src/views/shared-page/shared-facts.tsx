import { useTranslation } from 'react-i18next';
import type { SharedContent } from '../../../contract/shared-links.ts';
import classes from './shared-page.module.css';

/** Who sends the images to whom and what for, as the sender stated it. */
export const SharedFacts = ({ content }: { readonly content: SharedContent }) => {
  const { t } = useTranslation('shared');
  const { clinic, recipient, purpose, question, patient } = content;
  const facts = [
    [t('from'), clinic],
    [t('to'), recipient],
    [t('patient'), patient && `${patient.name}, ${patient.personalNumber}`],
    [t('purpose'), purpose],
    [t('question'), question],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
};
