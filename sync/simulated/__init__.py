"""The stage of `sync.simulate`: phones, people, a server and a bad network, all in memory.

`stage` the fields and the dice · `phone` what a phone keeps · `server` what a server keeps ·
`world` all of it · `authors` how ops are written · `sight` what their authors saw · `people`,
`network`, `accidents` the moves · `checks` the promises.
"""
