import { useTranslation } from 'react-i18next';
import classes from './language-row.module.css';
import { type Language, languageNames, languages } from './languages.ts';

/** Languages by their own names, on one line. */
export const LanguageRow = ({ label, onChoose }: { label: string; onChoose: (language: Language) => void }) => {
  const { i18n } = useTranslation();
  return (
    <fieldset className={classes.row} aria-label={label}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          className={classes.language}
          lang={language === 'no' ? 'nb' : language}
          aria-pressed={i18n.language === language}
          onClick={() => onChoose(language)}
        >
          {languageNames[language]}
        </button>
      ))}
    </fieldset>
  );
};
