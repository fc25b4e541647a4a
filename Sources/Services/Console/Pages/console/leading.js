// Whether this server has the show. One that does not shows the leader's place beside the numbers of its own follower.

/**
 * True if this server has the show.
 * @param {import("/shared/exchanged").Show | null} show
 */
export const leads = (show) => !["backup", "asking"].includes(show?.server?.role);

const follows = ["following", "coasting"];

/**
 * True if the follower's numbers are of use: they are the show's, or this server's own follower is at the music.
 * @param {import("/shared/exchanged").Show | null} show
 * @param {import("/shared/exchanged").Follower | null} follower
 */
export const isFollowed = (show, follower) => leads(show) || follows.includes(follower?.state) && !follower.silent;
