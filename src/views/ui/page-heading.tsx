import classes from './page.module.css';
import { PageTitle } from './page-title.tsx';

/** The heading of a page. `title`: the document title where the heading may name a patient. */
export const PageHeading = ({ children, title = children }: { readonly children: string; readonly title?: string }) => (
  <>
    <PageTitle>{title}</PageTitle>
    <h1 className={classes.title}>{children}</h1>
  </>
);
