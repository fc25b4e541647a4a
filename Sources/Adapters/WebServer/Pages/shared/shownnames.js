// Names that tell people apart.

/**
 * The same speakers under the names that people see: “Anna” and “Anna (2)”. The server gives the numbers, because they
 * must stay with a speaker when another one leaves.
 */
export const withShownNames = (speakers) => speakers.map((speaker) => ({ ...speaker, name: speaker.shownName }));
