/** What an outcome log needs of whatever keeps its rows. */


