import classes from './page.module.css';

/** Sets the document title. It must not contain a patient's name, because others may read the browser history. */
export const PageTitle = ({ children }: { readonly children: string }) => <title>{`${children} · Dentarium`}</title>;

/** The heading of a page. `title`: the document title where the heading may name a patient. */
export const PageHeading = ({ children, title = children }: { readonly children: string; readonly title?: string }) => (
  <>
    <PageTitle>{title}</PageTitle>
    <h1 className={classes.title}>{children}</h1>
  </>
);
