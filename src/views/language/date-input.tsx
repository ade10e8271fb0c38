import { DateField, type DateFieldProps } from '../parts/date-field.tsx';
import { useDateWords } from './date-words.ts';

/** A date field that speaks the reader's language. */
export const DateInput = (props: Omit<DateFieldProps, 'words'>) => <DateField {...props} words={useDateWords()} />;
